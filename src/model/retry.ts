import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../contracts/errors.ts'
import { ModelError, type ModelEvent } from '../contracts/model.ts'
import { formatDuration } from '../lib/text/words.ts'
import { type FaultDetails, ModelFault } from './ModelFault.ts'
import type { ModelTimers } from './stream/startSilenceTimer.ts'
import type { AttemptEvent } from './stream/streamAttempt.ts'

export type RetryPolicy = {
  /** Attempts after the first, for the whole request. */
  readonly maxRetries: number
  readonly maxRetryWaitMs: number
  readonly fallbackModels: readonly string[]
  readonly timers: ModelTimers
  /** 0 to 1. */
  readonly random: () => number
  /** Scales the waits. */
  readonly waitScale: number
}

/** `silentMs`: the total silence of the API in earlier attempts. */
type Attempts = (model: string, silentMs: number) => AsyncGenerator<AttemptEvent, void, undefined>

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** The number of consecutive overloads after which the next model is used. */
const OVERLOADS_BEFORE_FALLBACK = 3

/**
 * One request with its retries, as events. One budget covers all faults; silence has a smaller budget. So by default, a
 * silent model is recovered or given up within 130 s. Throws `ModelError` when the budget is used up.
 */
export async function* retry(
  model: string,
  attempts: Attempts,
  policy: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const state: RetryState = { model, attempt: 1, overloads: 0, silentMs: 0, fallbacks: [...policy.fallbackModels] }
  while (true) {
    const part: Part = { answer: undefined, blocks: 0 }
    try {
      for await (const event of attempts(state.model, state.silentMs)) {
        if (event.type === 'begun') {
          part.answer = event
          continue
        }
        if (event.type === 'block') part.blocks += 1
        yield event
        if (event.type === 'message') return
      }
      throw new Error('an attempt ended without a message')
    } catch (error) {
      if (part.answer !== undefined) {
        const usage = part.answer.spent()
        yield { type: 'discarded', reason: messageOf(error), blocks: part.blocks, model: state.model, usage }
      }
      if (!(error instanceof ModelFault)) throw error
      const fault = error.details
      if (fault.stall !== undefined) yield { type: 'stall', ...fault.stall }
      yield* nextAttempt(error, state, policy, signal)
    }
  }
}

type Part = { answer: Extract<AttemptEvent, { type: 'begun' }> | undefined; blocks: number }

type RetryState = {
  model: string
  attempt: number
  overloads: number
  /** The sum of all stalls so far, by their timers. */
  silentMs: number
  readonly fallbacks: string[]
}

/** Decides on the next attempt and waits for it, or throws what ends the request. */
async function* nextAttempt(
  error: ModelFault,
  state: RetryState,
  policy: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const fault = error.details
  const attempts = Math.min(policy.maxRetries + 1, fault.maxAttempts ?? Number.POSITIVE_INFINITY)
  if (!fault.canRetry || state.attempt >= attempts) throw lastWord(error, state.attempt)
  state.overloads = fault.kind === 'overloaded' ? state.overloads + 1 : 0
  if (state.overloads >= OVERLOADS_BEFORE_FALLBACK && state.fallbacks.length > 0) {
    const to = state.fallbacks.shift() ?? state.model
    yield { type: 'fallback', from: state.model, to, detail: `${state.overloads} times overloaded in a row` }
    state.model = to
    state.overloads = 0
    state.attempt += 1
    return
  }
  state.silentMs += plannedSilence(fault, policy.timers)
  if (state.silentMs > silenceBudget(policy.timers)) throw lastWord(error, state.attempt)
  const delayMs = waitFor(fault, state.attempt, policy)
  yield {
    type: 'retry',
    attempt: state.attempt,
    maxRetries: policy.maxRetries,
    delayMs,
    status: fault.status ?? null,
    error: fault.kind,
    source: (fault.retryAfterMs ?? 0) < FIRST_WAIT_MS ? 'backoff' : 'retry-after',
    detail: fault.message,
  }
  state.attempt += 1
  await sleep(delayMs * policy.waitScale, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** The part of a stall that its timer allows. A longer suspension of the machine does not cost the next attempt. */
function plannedSilence({ stall }: FaultDetails, timers: ModelTimers): number {
  if (stall === undefined) return 0
  const { connectMs, firstByteMs, idleMs, pingOnlyMs } = timers
  const limits = { connect: connectMs, first_byte: firstByteMs, idle: idleMs, ping_only: pingOnlyMs }
  return Math.min(stall.silentMs, limits[stall.phase])
}

/**
 * The total silence after which there is no further attempt. It allows one silent answer or six failed connections.
 * With the next attempt and the short waits in between, a silent API ends a request within 130 s.
 */
function silenceBudget(timers: ModelTimers): number {
  return Math.max(timers.firstByteMs, timers.idleMs) * 1.05
}

/** Runs that are told to wait together do not ask again together. */
const LONGEST_SPREAD_MS = 5_000

function waitFor(fault: FaultDetails, attempt: number, policy: RetryPolicy): number {
  const asked = fault.retryAfterMs
  const factor = fault.stall === undefined ? 2 ** (attempt - 1) : 1
  const backoff = Math.round(Math.min(FIRST_WAIT_MS * factor, LONGEST_WAIT_MS) * (1 - policy.random() * 0.25))
  // A limit below the first wait cannot be meant.
  if (asked === undefined || asked < FIRST_WAIT_MS) return backoff
  if (asked <= policy.maxRetryWaitMs)
    return Math.ceil(asked + policy.random() * Math.min(asked * 0.25, LONGEST_SPREAD_MS))
  const limit = formatDuration(policy.maxRetryWaitMs)
  const message = `the API asks to wait ${formatDuration(asked)}, longer than --max-retry-wait (${limit}): ${fault.message}`
  throw new ModelError(fault.kind, 'rate_limited', message, { status: fault.status ?? null })
}

function lastWord(error: ModelFault, attempts: number): ModelError {
  const { kind, reason, message, status, canRetry } = error.details
  const tries = attempts === 1 ? '' : ` (after ${attempts} attempts)`
  const hint = canRetry ? '; the run is safe to start again' : ''
  const what = kind === 'overloaded' ? `API overloaded: ${message}` : message
  return new ModelError(kind, reason, `${what}${tries}${hint}`, { status: status ?? null, cause: error })
}

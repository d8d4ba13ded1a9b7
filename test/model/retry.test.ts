import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ModelError, type ModelEvent } from '../../src/contracts/model.ts'
import { readRetryAfter } from '../../src/model/classifyError.ts'
import { badStream, type FaultDetails, ModelFault, stalled } from '../../src/model/ModelFault.ts'
import { type RetryPolicy, retry } from '../../src/model/retry.ts'
import { DEFAULT_TIMERS } from '../../src/model/stream/startSilenceTimer.ts'
import type { AttemptEvent } from '../../src/model/stream/streamAttempt.ts'
import { rowsOfText } from '../helpers/rowsOfText.ts'

const POLICY: RetryPolicy = {
  ...{ maxRetries: 9, maxRetryWaitMs: 120_000, fallbackModels: [], random: () => 0, waitScale: 0 },
  timers: { connectMs: 1_000, firstByteMs: 6_000, idleMs: 4_000, pingOnlyMs: 12_000 },
}

const USAGE = { input_tokens: 7, output_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const PARTS: Readonly<Record<string, AttemptEvent>> = {
  begun: { type: 'begun', spent: () => USAGE },
  block: { type: 'block', index: 0, block: { type: 'text', text: 'hello' } },
  message: {
    type: 'message',
    message: {
      ...{ id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'hello' }] },
      ...{ stop_reason: 'end_turn', usage: USAGE },
    },
    ...{ durationMs: 1, requestId: null },
  },
}

function fault(details: Partial<FaultDetails> = {}): ModelFault {
  const usual = { kind: 'server_error', reason: 'api_unavailable', message: 'no luck', canRetry: true } as const
  return new ModelFault({ ...usual, ...details })
}
const refused = { kind: 'authentication_failed', reason: 'auth', message: 'bad key', canRetry: false } as const
const FAULTS: Readonly<Record<string, (more: Partial<FaultDetails>) => Error>> = {
  fault,
  overloaded: () => fault({ kind: 'overloaded', message: 'busy', status: 529 }),
  refused: (more) => fault({ ...refused, ...more }),
  cut: () => badStream('cut short'),
  costly: () => badStream('costly', 3),
  defect: () => new TypeError('a defect'),
}

type Parts = readonly (AttemptEvent | Error)[]

/** `begun block cut`, `fault status=500`, `connect=900`: what an attempt sends, and the fault it ends with. */
function partsOf(text: string): Parts {
  const words = text.trim().split(' ')
  const settings = Object.fromEntries(words.map((word) => word.split('=').map((part) => Number(part) || part)))
  const { status, wait } = settings
  const more = { ...(status !== undefined && { status }), ...(wait !== undefined && { retryAfterMs: wait }) }
  return words.flatMap((word) => {
    const [name = '', ms] = word.split('=')
    if (name === 'status' || name === 'wait') return []
    return PARTS[name] ?? FAULTS[name]?.(more) ?? stalled(name as 'connect', Number(ms))
  })
}

/** `(maxRetries=1 fallbackModels=middle,small)`. */
function policyOf(text: string): RetryPolicy {
  const given = Object.fromEntries(text.split(' ').map((word) => word.split('=')))
  const { random = 0, maxRetries = 9, fallbackModels = '', firstByteMs = 6_000, idleMs = 4_000 } = given
  return {
    ...{ ...POLICY, maxRetries: Number(maxRetries), random: () => Number(random) },
    fallbackModels: fallbackModels.split(',').filter(Boolean),
    timers: { ...POLICY.timers, firstByteMs: Number(firstByteMs), idleMs: Number(idleMs) },
  }
}

function shown(event: ModelEvent): string {
  if (event.type === 'discarded') return `void ${event.blocks},`
  if (event.type === 'stall') return `stall ${event.phase} ${event.silentMs},`
  if (event.type === 'retry') return `${event.source === 'backoff' ? 'wait' : 'obey'} ${event.delayMs}`
  return event.type
}

/** Plays attempts, and tells of them. What is not listed answers. */
async function play(attempts: readonly Parts[], policy = POLICY, signal = new AbortController().signal) {
  const told: string[] = []
  const events: ModelEvent[] = []
  let asked = 0
  async function* attempt(model: string, silentMs: number) {
    const parts = attempts[asked] ?? partsOf('begun block message')
    asked += 1
    told.push(`${model} ${silentMs}:`)
    for (const part of parts) {
      if (part instanceof Error) throw part
      yield part
    }
  }
  let error: unknown
  try {
    for await (const event of retry('large', attempt, policy, signal)) {
      events.push(event)
      told.push(shown(event))
    }
  } catch (thrown) {
    error = thrown
    const isOurs = thrown instanceof ModelError
    told.push(isOurs ? `${thrown.kind} ${thrown.reason} ${thrown.status}: ${thrown.message}` : String(thrown))
  }
  return { events, asked, error, told: told.join(' ') }
}

const ROWS = rowsOfText(readFileSync(new URL('rows/retries.txt', import.meta.url), 'utf8'))

it.each(ROWS.map(({ group, line, below }) => [group, line, below] as const))('%s: %s', async (_, line, told) => {
  const [, attempts = '', policy = ''] = /^(.*?)(?: \((.*)\))?$/.exec(line) ?? []
  expect((await play(attempts.split('|').map(partsOf), policyOf(policy))).told).toBe(told.join(' '))
})

it('says of each event what it needs: what an answer has cost at least, the attempt and its fault, both models', async () => {
  const attempts = ['begun block cut', 'overloaded', 'overloaded', 'overloaded'].map(partsOf)
  const { events } = await play(attempts, { ...POLICY, fallbackModels: ['small'] })
  const common = { type: 'retry', maxRetries: 9, source: 'backoff' }
  const busy = { ...common, error: 'overloaded', status: 529, detail: 'busy' }
  expect(events.slice(1, -2)).toEqual([
    { type: 'discarded', reason: 'cut short', blocks: 1, model: 'large', usage: USAGE },
    { ...common, attempt: 1, delayMs: 500, error: 'bad_stream', status: null, detail: 'cut short' },
    { ...busy, attempt: 2, delayMs: 1000 },
    { ...busy, attempt: 3, delayMs: 2000 },
    { type: 'fallback', from: 'large', to: 'small', detail: '3 times overloaded in a row' },
  ])
})

it('has the fault as the cause of the last word', async () => {
  const cause = fault(refused)
  expect((await play([[cause]])).error).toMatchObject({ cause })
})

it('has ten attempts, which fallback models share', async () => {
  const attempts = Array(20).fill(partsOf('overloaded'))
  expect((await play(attempts)).asked).toBe(10)
  expect((await play(attempts, { ...POLICY, fallbackModels: ['small'] })).asked).toBe(10)
})

it('ends a wait with the run', async () => {
  const controller = new AbortController()
  const reason = new Error('the run is over')
  const asked: string[] = []
  // biome-ignore lint/correctness/useYield: it fails
  async function* attempt(model: string) {
    asked.push(model)
    throw fault()
  }
  // A wait of half a second times a million: only the abort ends it.
  const events = retry('large', attempt, { ...POLICY, waitScale: 1_000_000 }, controller.signal)
  expect((await events.next()).value).toMatchObject({ type: 'retry' })
  const next = events.next()
  controller.abort(reason)
  await expect(next).rejects.toBe(reason)
  expect(asked).toEqual(['large'])
})

it('ends silence of any kinds, in any order, within 130 s, after at least one more attempt', async () => {
  const limits = { connect: 'connectMs', first_byte: 'firstByteMs', idle: 'idleMs' } as const
  const phase = fc.constantFrom('connect', 'connect', 'connect', 'first_byte', 'idle')
  const orders = fc.array(phase, { minLength: 20, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const faults = order.map((one) => [stalled(one, DEFAULT_TIMERS[limits[one]])])
      const { events, asked, error } = await play(faults, { ...POLICY, timers: DEFAULT_TIMERS })
      const passed = events.map((event) =>
        event.type === 'stall' ? event.silentMs : event.type === 'retry' ? event.delayMs : 0,
      )
      expect(passed.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(130_000)
      expect(asked).toBeGreaterThanOrEqual(2)
      expect(error).toMatchObject({ kind: 'stalled', reason: 'api_unavailable' })
    }),
  )
})

describe('the wait that a response asks for', () => {
  const read = (headers: Readonly<Record<string, string>>) => readRetryAfter(new Headers(headers))

  it('is in seconds, a date by the clock of the response, or in milliseconds, which win', () => {
    expect(read({ 'retry-after': '2' })).toBe(2_000)
    expect(read({ 'retry-after': ' 0.5 ' })).toBe(500)
    const date = 'Mon, 23 Nov 2026 20:00:00 GMT'
    expect(read({ 'retry-after': 'Mon, 23 Nov 2026 20:00:30 GMT', date })).toBe(30_000)
    // The other dates that HTTP knows, and one that it does not.
    const old = 'Mon Nov 23 20:00:00 2026'
    expect(read({ 'retry-after': 'Mon Nov 23 20:00:30 2026', date: old })).toBe(30_000)
    expect(read({ 'retry-after': '2026-11-23T20:00:30Z', date })).toBe(30_000)
    expect(read({ 'retry-after-ms': '1500', 'retry-after': '2' })).toBe(1_500)
    expect(read({ 'retry-after-ms': '0', 'retry-after': '2' })).toBe(2_000)
  })

  it('is by our own clock where the response has none', () => {
    const wait = read({ 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }) ?? 0
    expect(wait).toBeGreaterThan(3_000_000)
    expect(wait).toBeLessThanOrEqual(3_600_000)
  })

  it('is none where there is nothing to read, or it is over', () => {
    const past = { 'retry-after': 'Mon, 23 Nov 2026 19:00:00 GMT', date: 'Mon, 23 Nov 2026 20:00:00 GMT' }
    const rows = [
      {},
      { 'retry-after': '' },
      { 'retry-after': 'soon' },
      { 'retry-after': '0' },
      { 'retry-after': '-1' },
      past,
    ]
    expect(rows.map((row) => read(row as Record<string, string>))).toEqual(rows.map(() => undefined))
  })
})

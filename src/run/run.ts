import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { asRunError, messageOf, RunError } from '../contracts/errors.ts'
import { type ResultEvent, type RunEvent, type TranscriptRecord, warning } from '../contracts/events.ts'
import { readCheckout } from '../git/repository/readCheckout.ts'
import { timerMs } from '../lib/async/timerMs.ts'
import { shortDuration } from '../lib/text/duration.ts'
import { createBackgroundAgents } from '../query/createBackgroundAgents.ts'
import { tellAgent } from '../query/Loop.ts'
import { type Loop, type LoopEnd, query } from '../query.ts'
import { beginRun, reasonOf } from './beginRun.ts'
import { asksForFindings, findingLevel, gateFindings } from './checks/gateFindings.ts'
import type { CheckRound } from './checks/runChecks.ts'
import { createAgentRunner } from './loop/createAgentRunner.ts'
import { createLoop } from './loop/createLoop.ts'
import { startInWorktree } from './loop/isolateAgent.ts'
import type { RunRequest } from './RunRequest.ts'
import { hashFrame } from './record/initEvent.ts'
import { recordRun } from './record/recordRun.ts'
import { acquireLock, type Lock } from './resume/acquireLock.ts'
import { loadResumed, type Resumed } from './resume/loadResumed.ts'
import { newLoopMemory, type PreparedRun, type Session } from './Session.ts'
import { recordsMs } from './start/openChildren.ts'
import { startSession } from './startSession.ts'

export type { RunRequest } from './RunRequest.ts'

const NOTHING_TO_RESUME =
  'The run to resume was killed before its first record. It did nothing, so this one starts from the beginning.'

const ABORTED = 'The caller ended the run.'

/**
 * One run from start to end. Every record is on disk before it is yielded and before the effect that it announces. The
 * first is `system/init`, the last `result`. Throws `RunError` only before the first record.
 */
export async function* run(request: RunRequest): AsyncGenerator<TranscriptRecord, ResultEvent, undefined> {
  const ending = endingSignal(request)
  const lock = takeLock(request)
  let resumed: Resumed | undefined
  try {
    const before = request.config.once
      ? await (await import('./resume/finishedBefore.ts')).finishedBefore(request, readCheckout(request.config.cwd))
      : undefined
    if (before?.done !== undefined) {
      yield* before.done
      return before.done[1]
    }
    resumed = request.config.resume === undefined ? undefined : await loadResumed(request, request.config.resume)
    const isUnbegun = request.config.resume !== undefined && resumed === undefined
    const asked = isUnbegun ? { ...request, warnings: [...(request.warnings ?? []), NOTHING_TO_RESUME] } : request
    const session = await startSession(asked, { ...ending, resumed, once: before?.key })
    try {
      const { worktree } = session.config
      if (worktree !== undefined) await startInWorktree(session, worktree)
      const loop = mainLoop(session)
      return yield* recordRun(session, {
        work: session.feed.join(gateFindings(work(session, loop), findingLevel(session))),
        sent: await hashFrame(loop),
        now: request.now,
      })
    } finally {
      await session.close()
      session.transcript.close()
    }
  } finally {
    ending.stop()
    resumed?.lock.release()
    lock?.release()
  }
}

function takeLock({ config: { lock }, stateFolder }: RunRequest): Lock | undefined {
  if (lock === undefined) return undefined
  return acquireLock(join(stateFolder, 'locks', lock.name), { label: `--lock ${lock.name}`, staleMs: lock.staleMs })
}

/** Aborts with the reason of the caller's signal, or at the deadline. */
function endingSignal({
  signal,
  config,
}: RunRequest): Pick<PreparedRun, 'signal' | 'deadline' | 'end'> & { stop(): void } {
  const controller = new AbortController()
  // Every call, request and hook of the run listens to it; all listeners are removed in the end.
  setMaxListeners(0, controller.signal)
  const { timeoutMs } = config.limits
  const late = new RunError('deadline', `The run reached its time limit (--timeout ${shortDuration(timeoutMs)}).`)
  const workMs = timeoutMs - recordsMs(timeoutMs)
  const timer = setTimeout(() => controller.abort(late), timerMs(workMs))
  const forward = () =>
    controller.abort(signal.reason instanceof RunError ? signal.reason : new RunError('aborted', ABORTED))
  if (signal.aborted) forward()
  else signal.addEventListener('abort', forward, { once: true })
  return {
    signal: controller.signal,
    deadline: performance.now() + workMs,
    end: (reason) => controller.abort(reason),
    stop() {
      clearTimeout(timer)
      signal.removeEventListener('abort', forward)
    },
  }
}

/** The loop, then the checks; a failing check goes back to the agent. A bug ends the run like any other failure. */
async function* work(session: Session, loop: Loop): AsyncGenerator<RunEvent, LoopEnd, undefined> {
  try {
    return yield* workAndCheck(session, loop)
  } catch (thrown) {
    const error = asRunError(thrown)
    if (error instanceof RunError && error.reason === 'io_error') throw error
    const reason = error instanceof RunError ? error.reason : 'internal'
    if (reason === 'internal' && error instanceof Error) yield warning('defect', error.stack ?? error.message)
    return { reason, detail: messageOf(error), result: '' }
  }
}

async function* workAndCheck(session: Session, loop: Loop): AsyncGenerator<RunEvent, LoopEnd, undefined> {
  const refused = yield* beginRun(session, loop)
  if (refused !== undefined) return refused
  for (let attempt = 1; ; attempt++) {
    const end = yield* query(loop)
    if (end.reason !== 'completed') return end
    const { commands, protect, attempts } = session.policy.settings.checks
    if (commands.length === 0 && protect.length === 0) return settle(session, end)
    const { runChecks } = await import('./checks/runChecks.ts')
    const round = yield* runChecks(session, attempt)
    const problem = round.isGood ? await changedInputs(session) : failedChecks(round, attempt)
    if (session.signal.aborted) return { ...end, ...reasonOf(session.signal) }
    if (problem === undefined) return settle(session, end)
    const { detail, told } = problem
    if (round.isGood) yield warning('checks_changed', detail)
    if (attempt >= attempts) return { ...end, reason: 'checks_failed', detail }
    loop.reopen()
    yield* tellAgent(loop, `${told}, then finish again.`)
  }
}

async function changedInputs(session: Session) {
  const { runChangedInputs } = await import('./checks/runChangedInputs.ts')
  const { closed, inputs, named } = await runChangedInputs(session)
  const faults = [
    ...(inputs.length === 0 ? [] : [`The checks pass, but the run changed what they depend on: ${inputs.join(', ')}.`]),
    ...(closed.length === 0 ? [] : [`The run changed what checks.protect names: ${closed.join(', ')}.`]),
  ]
  const detail = faults.join(' ')
  if (detail !== '') return { detail, told: `${detail} Restore it` }
  const note = `The checks pass, but the run changed what they depend on, as an Edit rule lets it: ${named.join(', ')}.`
  if (named.length > 0) session.pending.push(warning('checks_changed', note))
  return undefined
}

function failedChecks({ failed, message }: CheckRound, attempt: number) {
  const commands = failed.map((command) => `\`${command}\``).join(', ')
  const tries = attempt === 1 ? '' : ` after ${attempt} attempts`
  return {
    detail: `${commands} ${failed.length === 1 ? 'fails' : 'fail'}${tries}.`,
    told: `You said you are done, but checks fail:\n\n${message}\n\nFix it`,
  }
}

function mainLoop(session: Session): Loop {
  const { pool: tools, limits } = session
  const background = createBackgroundAgents(session.feed.add)
  const memory = newLoopMemory(session.todos, session.resumed)
  if (asksForFindings(session)) memory.loadedTools.add('ReportFinding')
  const parent = {
    ...{ limits, background, depth: 0 },
    get tools() {
      return [...tools, ...session.late.tools]
    },
  }
  return createLoop({
    ...{ session, tools, limits, background, memory },
    model: session.config.model,
    messages: [...(session.resumed?.messages ?? [])],
    signal: session.signal,
    runAgent: createAgentRunner(session, parent),
  })
}

/** Turns a completed run into a failure if denials count as one, or if a replay has unused answers. */
async function settle(session: Session, end: LoopEnd): Promise<LoopEnd> {
  if (session.config.failOnDenied && session.limits.totals().denials > 0) {
    return { ...end, reason: 'blocked', detail: 'Calls were denied (--fail-on-denied).' }
  }
  await session.model.close()
  return end
}

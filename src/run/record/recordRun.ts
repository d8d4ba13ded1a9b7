import { messageOf, RunError } from '../../contracts/errors.ts'
import type { InitEvent, ResultEvent, RunEvent, TranscriptRecord, UserEvent } from '../../contracts/events.ts'
import { costOf } from '../../model/prices.ts'
import type { LoopEnd } from '../../query.ts'
import { createAskedCalls } from '../../report/fold/askedCalls.ts'
import { buildResult } from '../../report/fold/result.ts'
import { createTotals } from '../../report/fold/totals.ts'
import { type AskedCall, createPairing } from '../../report/transcript/pairing.ts'
import { CHANGES_UNKNOWN } from '../effects/reportLateChanges.ts'
import { endRun } from '../endRun.ts'
import { watchStandstill } from '../loop/watchStandstill.ts'
import type { Session } from '../Session.ts'
import { initEvent } from './initEvent.ts'

type Events<End> = AsyncGenerator<RunEvent, End, undefined>

/** The total time for a run that was told to end: for its calls, its children and its last records. */
const ENDING_MS = 2_700

type Recorded = {
  readonly work: Events<LoopEnd>
  readonly sent: InitEvent['sent']
  readonly now: AbortSignal | undefined
}

/**
 * Writes each event of a run, then yields it: `init` first, `result` last, whatever happens in between. If records
 * cannot be written, the run stops, its children are ended, and a `result` says so. Space for it is reserved on a full
 * disk. If even that cannot be written, the `result` is the only event that is yielded without being in the transcript.
 */
export async function* recordRun(
  session: Session,
  { work, sent, now }: Recorded,
): AsyncGenerator<TranscriptRecord, ResultEvent, undefined> {
  const { transcript } = session
  const { pricing } = session.policy.settings
  const { contextWindow, maxOutputTokens } = session.config
  const totals = createTotals((model, usage) => costOf(model, usage, pricing), { contextWindow, maxOutputTokens })
  const asked = createAskedCalls()
  const pairing = createPairing()
  const unknown: string[] = []
  const ending = followEnding(session)
  const standstill = watchStandstill()
  let isEnded = false
  const write = (event: RunEvent): TranscriptRecord => {
    if (isEnded) throw new RunError('internal', 'The run has ended.')
    totals.add(event)
    asked.add(event)
    pairing.add(event)
    unknown.push(...unknownIn(event))
    return transcript.append(event)
  }
  const writeLast = (error: unknown): Last => {
    isEnded = true
    // The exit code is that of `now`, whatever else the run was told to end for.
    const isTold = session.signal.aborted && !now?.aborted && !isIoError(error)
    return endRecord(
      session,
      hastyResult(session, totals.totals(), { error, cause: isTold ? session.signal.reason : error }),
    )
  }
  const endNow = (): void => {
    if (isEnded) return
    try {
      for (const event of closeCalls(pairing.asked())) write(event)
    } catch {
      // The end record says why nothing can be written.
    }
    writeLast(now?.reason)
  }
  now?.addEventListener('abort', endNow)
  try {
    yield write(initEvent(session, sent))
    const end = yield* written(work, write)
    const { cutoff } = ending
    const known = { totals: totals.totals, asked: asked.calls, unknown: () => unknown, cutoff, standstill }
    const result = yield* written(endRun(session, end, known), write)
    const record = write(result)
    isEnded = true
    yield record
    return result
  } catch (error) {
    const { result, record } = writeLast(error)
    yield record
    return result
  } finally {
    now?.removeEventListener('abort', endNow)
    standstill.stop()
    if (!isEnded) writeLast(new RunError('aborted', 'The events of the run were not read to the end.'))
    await ending.stop()
  }
}

function unknownIn(event: RunEvent): string[] {
  if (event.type !== 'system') return []
  if (event.subtype === 'warning') return event.code === CHANGES_UNKNOWN ? [event.message] : []
  if (event.subtype !== 'effects' || event.unknown === undefined) return []
  return [`It is not known which changes of ${event.tool_name} were kept: ${event.unknown}.`]
}

type Last = { readonly result: ResultEvent; readonly record: TranscriptRecord }

/** Writes the end record into the reserved space. Never throws: if the disk takes nothing, only readers get it. */
function endRecord({ transcript }: Session, result: ResultEvent): Last {
  try {
    return { result, record: transcript.appendLast(result) }
  } catch (error) {
    const detail = result.exit_reason === 'io_error' ? result.detail : messageOf(error)
    const ending = { ...result, exit_reason: 'io_error', detail } as const
    const unkept = buildResult(ending, ending)
    return { result: unkept, record: transcript.unwritten(unkept) }
  }
}

async function* written<End>(
  events: Events<End>,
  write: (event: RunEvent) => TranscriptRecord,
): AsyncGenerator<TranscriptRecord, End> {
  try {
    let item = await events.next()
    while (item.done !== true) {
      yield write(item.value)
      item = await events.next()
    }
    return item.value
  } finally {
    await events.return(undefined as never).catch(() => undefined)
  }
}

/** Once the run is told to end, ends all its children in parallel. */
function followEnding(session: Session) {
  const { children, servers, signal } = session
  const cutoff = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let closing: Promise<unknown> | undefined
  const close = () => {
    closing ??= Promise.allSettled([children.commands.closeAll(), servers?.close()])
  }
  const end = () => {
    timer ??= setTimeout(() => cutoff.abort(), ENDING_MS)
    close()
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  return {
    /** Aborts when the end record must be written; never for a run that ends by itself. */
    cutoff: cutoff.signal,
    async stop() {
      signal.removeEventListener('abort', end)
      clearTimeout(timer)
      close()
      await closing
      await Promise.allSettled([children.hookCommands.closeAll(), children.gitCommands.closeAll()])
      await Promise.allSettled([session.transactions.close(), children.sandbox.close()])
    },
  }
}

function isIoError(error: unknown): boolean {
  return error instanceof RunError && error.reason === 'io_error'
}

/** The result of a run without time or disk space for a full one. */
function hastyResult(
  session: Session,
  totals: Parameters<typeof buildResult>[0],
  { error, cause }: { readonly error: unknown; readonly cause: unknown },
): ResultEvent {
  const { state, network } = session.children.sandbox
  return buildResult(totals, {
    exit_reason: cause instanceof RunError ? cause.reason : 'internal',
    detail: messageOf(error),
    result: '',
    structured_output: null,
    duration_ms: Math.round(performance.now() - session.startedAt),
    duration_api_ms: Math.round(session.limits.totals().apiMs),
    changes: [],
    patch: null,
    patch_note: 'the run ended before its changes could be compared',
    session_id: session.sessionId,
    transcript_path: session.transcript.path,
    stop_reason: null,
    sandbox: state,
    network: { mode: network.mode, state: network.state },
  })
}

const CUT = 'The run was ended at once. What this call did until then is not known.'
const ABORTED = { outcome: 'aborted', duration_ms: 0 } as const

/** The results of the open calls of each loop, the innermost first, for a run that ends at once. */
export function closeCalls(open: readonly AskedCall[]): readonly UserEvent[] {
  const parents = [...new Set(open.map(({ parent }) => parent))].reverse()
  return parents.map((parent_tool_use_id): UserEvent => {
    const calls = open.filter(({ parent }) => parent === parent_tool_use_id)
    const content = calls.map(
      ({ id }) => ({ type: 'tool_result', tool_use_id: id, content: CUT, is_error: true }) as const,
    )
    return {
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id,
      tool_use_result: calls.map(({ id, name }) => ({ ...ABORTED, tool_use_id: id, tool_name: name })),
    }
  })
}

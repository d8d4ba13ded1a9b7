import { existsSync } from 'node:fs'
import type { BackgroundCommand } from '../contracts/commands.ts'
import { type ExitReason, messageOf } from '../contracts/errors.ts'
import type { BackgroundResult, IntegrityEvent, PermissionDenial, ResultEvent, RunEvent } from '../contracts/events.ts'
import { warning } from '../contracts/events.ts'
import { isFetched } from '../effects/git/openRefLog.ts'
import type { AccountReport } from '../effects/openAccount.ts'
import { commitHooks } from '../git/repository/commitHooks.ts'
import { removeWorktree } from '../git/states/gitWorktree.ts'
import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import { orElse } from '../lib/orElse.ts'
import { suggestPolicy } from '../query/runTools/toNamedCall.ts'
import type { LoopEnd } from '../query.ts'
import type { AskedCall } from '../report/fold/askedCalls.ts'
import { buildResult } from '../report/fold/result.ts'
import type { Totals } from '../report/fold/totals.ts'
import { endLeakedProcesses } from '../sandbox/integrity/endLeakedProcesses.ts'
import { findTool } from '../Tool.ts'
import { reasonOf } from './beginRun.ts'
import { reportLateChanges } from './effects/reportLateChanges.ts'
import { subjectContext } from './loop/createToolContext.ts'
import { keepPatch } from './loop/isolateAgent.ts'
import { absentServers } from './loop/lateServers.ts'
import type { StandstillWatch } from './loop/watchStandstill.ts'
import { type NothingDone, nothingDone, type Work } from './nothingDone.ts'
import type { Session } from './Session.ts'

/**
 * Ends what is still running, compares the work tree with its start, and builds the result. A run with a first record
 * always has a result. If the run is told to end meanwhile, the result is built when `cutoff` aborts, from what is known
 * by then. `totals` is read last, so that it includes every event.
 */
export async function* endRun(
  session: Session,
  end: LoopEnd,
  { totals, asked, unknown, cutoff, standstill }: Ending,
): AsyncGenerator<RunEvent, ResultEvent, undefined> {
  const { children, servers, hooks, checkout, signal } = session
  const hasty = () => AbortSignal.any([AbortSignal.timeout(SESSION_END_MS), cutoff])
  await hooks?.sessionEnd(end.reason, signal.aborted ? hasty() : signal)
  await hooks?.settle(signal.aborted ? 0 : ASYNC_HOOKS_MS)
  yield* session.pending.splice(0)
  yield* absentServers(session)
  const background = children.commands.listBackground().map(resultOf)
  for (const { name, command, state } of background) {
    if (state === 'cut') yield warning('background', `${name} still ran and was ended with the run: ${command}`)
  }
  await Promise.allSettled([children.commands.closeAll(), children.hookCommands.closeAll(), servers?.close()])
  // What is still running may still write, so it ends before the last comparison.
  const swept = await endLeakedProcesses({
    ...{ runId: session.runId, workspace: session.config.cwd },
    mayBeEnding: children.sandbox.state === 'enforced',
  })
  const leaked = [...children.commands.leftovers(), ...swept]
  yield* reportLateChanges(session)
  if (leaked.length > 0) yield { type: 'system', subtype: 'process_leaked', count: leaked.length, processes: leaked }
  await resultBeforeAbort(session.isolated.settled(), cutoff)
  const left = await leaveWorktree(session, cutoff)
  if (left !== undefined) yield left
  const diff = (await resultBeforeAbort(session.transactions.account.report(), cutoff)) ?? CUT
  const refs = (await resultBeforeAbort(session.transactions.refs.changes(), cutoff)) ?? []
  const own = refs.filter((ref) => !isFetched(ref))
  const skipped = own.some(({ commits }) => commits !== 0) ? commitHooks(session.config.cwd) : undefined
  // What a person would else learn from a red pipeline.
  if (skipped !== undefined) yield warning('git_hooks', skippedHooks(skipped))
  session.outputs.finish(diff, checkout.commit)
  await children.gitCommands.closeAll()
  const processesLeft = leaked.filter(({ killed }) => !killed).length
  const { problem } = diff
  const uncompared = problem === undefined ? [] : [`The checkout could not be compared with its start: ${problem}.`]
  const integrity = children.integrity.report({ ...diff, processesLeft })
  yield integrity
  await session.close()
  yield* session.pending.splice(0)
  const stood = standstill.report()
  if (stood !== undefined) yield stood
  const known = diff === CUT && end.reason === 'completed' ? { ...end, ...reasonOf(signal) } : end
  const sums = totals()
  const denied = {
    all: sums.permission_denials.length,
    changing: sums.permission_denials.filter((denial) => isChanging(session, denial)).length,
  }
  const mayEdit = session.policy.rules.some(({ tool, list }) => list === 'allow' && tool === 'Edit')
  const nothing = nothingDone({
    ...{
      mayChange: mayEdit || session.place.mode === 'acceptEdits',
      hasPolicy: session.policy.files.length > 0,
      calls: asked(),
      count: sums.num_tool_calls,
      denied,
    },
    ...{ changes: diff.changes, refs: own, hasOutput: end.output !== undefined || existsSync(session.artifacts) },
  })
  return buildResult(sums, {
    ...judged(withNothing(known, nothing, denied), integrity, [...unknown(), ...uncompared]),
    result: end.result,
    structured_output: end.output ?? null,
    duration_ms: Math.round(performance.now() - session.startedAt),
    duration_api_ms: Math.round(session.limits.totals().apiMs),
    changes: diff.changes,
    patch: diff.patch,
    patch_note: refs.length > 0 && diff.patch === '' ? 'no file of the work tree was changed' : diff.note,
    ...(refs.length > 0 && { refs }),
    session_id: session.sessionId,
    transcript_path: session.transcript.path,
    stop_reason: end.stopReason ?? null,
    sandbox: integrity.sandbox,
    network: integrity.network,
    ...suggested(session, asked()),
    ...(background.length > 0 && { background }),
    ...(session.plugins.length > 0 && { plugins: session.plugins }),
  })
}

const skippedHooks = (hooks: string) =>
  `git hooks did not run for the commits of this run: ${hooks}; name their commands under checks.commands`

/** Rules that would have allowed the denied calls; for an audit all calls, but those that hooks or modes allowed. */
function suggested({ policy, config }: Session, calls: readonly AskedCall[]): Pick<ResultEvent, 'suggested'> {
  const isWanted = ({ words, changed }: AskedCall) => words !== 'allowed' || changed.some(({ isKept }) => !isKept)
  const suggestion = suggestPolicy(policy, config.audit ? calls : calls.filter(isWanted))
  return suggestion.rules.length + suggestion.refused.length === 0 ? {} : { suggested: suggestion }
}

/**
 * Fails a run whose children wrote to the runner's command files, or that left changes without a call. `unknown`: what
 * could not be found out about its changes; only "compared, nothing found" is green.
 */
function judged({ reason, detail }: LoopEnd, integrity: IntegrityEvent, unknown: readonly string[]) {
  const { command_files_touched: touched, unaccounted_files: unaccounted } = integrity
  const because = (exit_reason: ExitReason, why: string) => ({ exit_reason, detail: `${why} ${detail}`.trim() })
  if (touched.length > 0)
    return because('tampering', `The runner's command files were changed during the run: ${touched.join(', ')}.`)
  if (reason !== 'completed') return { exit_reason: reason, detail }
  if (unknown.length > 0) return because('changes_unknown', unknown.join(' '))
  if (unaccounted.length === 0) return { exit_reason: reason, detail }
  return because('blocked', `Files changed, but no call of the run changed them: ${unaccounted.join(', ')}.`)
}

function resultOf({ id, command, ...each }: BackgroundCommand): BackgroundResult {
  const { state, exitCode } = each.status()
  return { name: id, command, state: state === 'running' ? 'cut' : state, exit_code: exitCode }
}

function isChanging(session: Session, { tool_name, tool_input }: PermissionDenial): boolean {
  const tool = findTool(session.pool, tool_name)
  return orElse(true, () => tool?.isReadOnly(tool_input as never, subjectContext(session)) !== true)
}

/** The run knows better than its agent. */
function withNothing(end: LoopEnd, nothing: NothingDone | undefined, denied: Work['denied']): LoopEnd {
  if (end.reason !== 'completed' || denied.changing + (nothing ? 1 : 0) === 0) return end
  const said = denied.all === 1 ? 'One call was denied.' : `${denied.all} calls were denied.`
  return { ...end, ...(nothing ?? { detail: `${end.detail} ${said}` }) }
}

/** A run does not fail without its changes. */
const CUT: AccountReport = {
  patch: null,
  changes: [],
  note: 'there was no time left to compare the work tree',
  unaccounted: [],
}

export type Ending = {
  totals(): Totals
  asked(): readonly AskedCall[]
  /** What is not known about the changes of calls, as sentences. */
  unknown(): readonly string[]
  /** Aborts when the last record must be written, if the run was told to end. */
  readonly cutoff: AbortSignal
  readonly standstill: StandstillWatch
}

/** Time for async hooks that still run when everything else is done. */
const ASYNC_HOOKS_MS = 5000

/** Time for SessionEnd hooks if the run was told to end; otherwise they have their own limits. */
const SESSION_END_MS = 1500

const TIMEOUT_MS = 60_000

/**
 * For a run that ends inside its worktree: saves the changes as a patch among the artifacts and removes the worktree.
 * If that fails or takes longer than `cutoff`, the worktree is left in place, and a warning names it.
 */
async function leaveWorktree(session: Session, cutoff: AbortSignal): Promise<RunEvent | undefined> {
  const worktree = session.place.cwd
  if (worktree === session.config.cwd) return undefined
  try {
    const kept = await keepPatch(session, worktree, AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), cutoff]))
    await removeWorktree(worktree)
    if (kept !== undefined) {
      const message = `The run ended in a worktree. The project does not have its changes: \`git apply ${kept.path}\` brings them in.`
      return warning('worktree_left', message)
    }
    const detail = 'nothing was changed in it'
    return { type: 'system', subtype: 'status', status: 'worktree_left', detail, parent_tool_use_id: null }
  } catch (error) {
    const message = `The worktree ${worktree} was left in place, with the only copy of its changes: ${messageOf(error)}`
    return warning('worktree_left', message)
  }
}

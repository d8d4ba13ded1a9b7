import type { FileChange, RefChange } from '../contracts/events.ts'
import type { AskedCall } from '../report/fold/askedCalls.ts'

export type Work = {
  /** True if the policy or the mode lets the run change files. */
  readonly mayChange: boolean
  /** False if the run was given none, and has the preset that reads. */
  readonly hasPolicy: boolean
  readonly calls: readonly AskedCall[]
  readonly count: number
  /** How many were denied, and how many of these would have changed something. */
  readonly denied: { readonly all: number; readonly changing: number }
  readonly changes: readonly FileChange[]
  /** Branches, tags and stashes that the run moved. */
  readonly refs: readonly RefChange[]
  /** True if the run has a structured output, or left files for people: a patch of a worktree is one. */
  readonly hasOutput: boolean
}

export type NothingDone = { readonly reason: 'blocked' | 'task_failed'; readonly detail: string }

/** Tools whose work is not in the checkout. */
const SENDERS = /^(?:mcp__|ReportFinding$|ProposeOutput$)/

const EDITORS = ['Edit', 'Write', 'NotebookEdit']

/**
 * How a run ends whose agent says that it is completed, but did not do its task: it may change files, calls that
 * change things were denied or their changes put back, or all edits failed, and nothing came of the other calls.
 * Without a policy it may change none, and a denied edit shows that it should have. Undefined if something was done.
 */
export function nothingDone({
  mayChange,
  hasPolicy,
  calls,
  count,
  denied,
  changes,
  refs,
  hasOutput,
}: Work): NothingDone | undefined {
  const isSent = calls.some(({ tool, words }) => words !== 'denied' && SENDERS.test(tool))
  const isKept = ({ changed }: AskedCall) => changed.some((change) => change.isKept)
  const isPutBack = calls.some(({ changed }) => changed.some((change) => !change.isKept))
  const isDenied = denied.changing > 0 || (denied.all > 0 && isPutBack)
  const isChanged = changes.length + refs.length > 0 || calls.some(isKept)
  const edits = calls.filter(({ tool }) => EDITORS.includes(tool))
  const isForgotten = !mayChange && !hasPolicy && edits.some(({ words }) => words === 'denied')
  if (!(mayChange || isForgotten) || isSent || isChanged || hasOutput) return undefined
  const end = (what: string) => `Completed, says the agent; ${what} and no file was changed.`
  if (isDenied)
    return {
      reason: 'blocked',
      detail:
        end(`${denied.all} of ${count} calls ${denied.all === 1 ? 'was' : 'were'} denied`) +
        (isForgotten ? ' No policy lets it edit: name one with --policy.' : ''),
    }
  const failed = edits.filter(({ hasFailed = false }) => hasFailed).length
  if (failed === 0 || failed < edits.length) return undefined
  return { reason: 'task_failed', detail: end(failed === 1 ? 'its one edit failed' : `its ${failed} edits failed`) }
}

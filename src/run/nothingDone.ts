import type { FileChange, RefChange } from '../contracts/events.ts'
import type { AskedCall } from '../report/fold/askedCalls.ts'

export type Work = {
  /** True if the policy or the mode lets the run change files. */
  readonly mayChange: boolean
  readonly calls: readonly AskedCall[]
  /** How many calls the agent made. */
  readonly count: number
  /** How many were denied, and how many of these would have changed something. */
  readonly denied: { readonly all: number; readonly changing: number }
  readonly changes: readonly FileChange[]
  /** Branches, tags and stashes that the run moved. */
  readonly refs: readonly RefChange[]
  /** True if the run has a structured output. */
  readonly hasOutput: boolean
}

/** Tools whose work is not in the checkout. */
const SENDERS = /^(?:mcp__|ReportFinding$|ProposeOutput$|SendUserFile$)/

/**
 * Why a run whose agent says that it is completed did not do its task: it may change files, calls that
 * change things were denied or their changes put back, and nothing came of the others. Undefined if something did, or nothing was denied.
 */
export function nothingDone({ mayChange, calls, count, denied, changes, refs, hasOutput }: Work): string | undefined {
  const isSent = calls.some(({ tool, words }) => words !== 'denied' && SENDERS.test(tool))
  const isKept = ({ changed }: AskedCall) => changed.some((change) => change.isKept)
  const isPutBack = calls.some(({ changed }) => changed.some((change) => !change.isKept))
  const isDenied = denied.changing > 0 || (denied.all > 0 && isPutBack)
  const isChanged = changes.length + refs.length > 0 || calls.some(isKept)
  if (!isDenied || !mayChange || isSent || isChanged || hasOutput) return undefined
  return `Completed, says the agent; ${denied.all} of ${count} calls were denied and no file was changed.`
}

import type { FileChange, PermissionDenial, RefChange } from '../contracts/events.ts'
import type { Policy } from '../policy/Policy.ts'
import type { AskedCall } from '../report/fold/askedCalls.ts'

export type Work = {
  readonly policy: Pick<Policy, 'rules'>
  readonly calls: readonly AskedCall[]
  /** How many calls the agent made. */
  readonly count: number
  readonly denials: readonly PermissionDenial[]
  readonly changes: readonly FileChange[]
  /** Branches, tags and stashes that the run moved. */
  readonly refs: readonly RefChange[]
  /** True if the run has a structured output. */
  readonly hasOutput: boolean
}

/** Tools that change nothing, so that a denial of one does not keep a change from happening. */
const READERS =
  /^(?:Read|Grep|Glob|LS|NotebookRead|Web\w+|Skill|Agent|Task\w*|List\w+|BashOutput|AskExpertModel|Memory\w+)$/
/** Tools whose work is not in the checkout. */
const SENDERS = /^(?:mcp__|ReportFinding$|ProposeOutput$|SendUserFile$)/

/**
 * Why a run whose agent says that it is completed did not do its task: the policy lets it change files, calls that
 * change things were denied, and nothing came of the others. Undefined if something did, or nothing was denied.
 */
export function nothingDone({ policy, calls, count, denials, changes, refs, hasOutput }: Work): string | undefined {
  const denied = denials.filter(({ tool_name }) => !READERS.test(tool_name)).length
  const isMeantToChange = policy.rules.some(({ tool, list }) => list === 'allow' && tool === 'Edit')
  const isSent = calls.some(({ tool, words }) => words !== 'denied' && SENDERS.test(tool))
  const isKept = ({ changed }: AskedCall) => changed.some((change) => change.isKept)
  const isChanged = changes.length + refs.length > 0 || calls.some(isKept)
  if (denied === 0 || !isMeantToChange || isSent || isChanged || hasOutput) return undefined
  return `Completed, says the agent; ${denials.length} of ${count} calls were denied and no file was changed.`
}

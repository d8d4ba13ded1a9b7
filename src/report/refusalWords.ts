import type { Refusal } from './runReport.ts'

/** What is said to the model alone. */
const ADVICE =
  / (?:Do not look for another way to do the same|Leave it out by name, or look elsewhere|Name the files in the line)\.$/

/** Why a call was denied, for people: without the place of the rule, which is shown beside it, and advice to the model. */
export function refusalWords({ reason, source, line }: Refusal): string {
  return (source === null ? reason : reason.replace(` (${source}:${line})`, '')).replace(ADVICE, '')
}

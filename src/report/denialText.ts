import type { Refusal } from './fold/runReport.ts'

/** Advice for the model alone; older records lack "thing". */
const ADVICE =
  / (?:Do not look for another way to do the same(?: thing)?|Leave it out by name, or look elsewhere|Name the files in the line)\.$/

/** Why a call was denied, for people: without the place of the rule, which is shown beside it, and advice to the model. */
export function denialText({ reason, source, line }: Refusal): string {
  return (source === null ? reason : reason.replace(` (${source}:${line})`, '')).replace(ADVICE, '')
}

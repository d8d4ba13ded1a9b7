import { readRegular } from '../../lib/fs/readRegular.ts'
import type { PathStates } from '../judge/JudgeChanges.ts'
import type { Backup } from './openBackups.ts'
import { type FileStamp, type Survey, stampAt } from './surveyFiles.ts'

export type BaselineOptions = {
  readonly known: ReadonlyMap<string, Backup>
  /** What was judged. */
  readonly now: Survey
  /** The state after refused changes were undone. */
  readonly after: Survey
  /** Paths that were restored or removed, or must be compared again. */
  readonly again: ReadonlySet<string>
  /** True if git may ignore other files than before. A file that is listed only for that reason is not new. */
  readonly haveIgnoreRulesChanged: boolean
}

/**
 * The state that later changes are compared with: each judged path as it was when it was judged. What another command
 * changed since then differs from this state, so the next comparison judges it.
 */
export function nextBaseline({ known, now, after, again, haveIgnoreRulesChanged }: BaselineOptions): Survey {
  const seen = new Map<string, FileStamp>()
  for (const [path, stamp] of after) {
    if (again.has(path)) continue
    const judged = now.get(path) ?? (haveIgnoreRulesChanged || known.has(path) ? stamp : undefined)
    if (judged !== undefined) seen.set(path, judged)
  }
  for (const [path, stamp] of now) {
    if (!after.has(path) && !again.has(path) && stampAt(path) === undefined) seen.set(path, stamp)
  }
  for (const path of again) {
    const backup = known.get(path)
    if (backup !== undefined) seen.set(path, backup.stamp)
  }
  return seen
}

/** What the judge wrote counts as judged, unless somebody wrote there since. */
export function seenAs(now: Map<string, FileStamp>): NonNullable<PathStates['rewrote']> {
  return (path, content) => {
    const stamp = stampAt(path)
    if (stamp !== undefined && readRegular(path)?.equals(content) === true) now.set(path, stamp)
  }
}

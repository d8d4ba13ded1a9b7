import type { Backup } from './openBackups.ts'
import { type FileStamp, type Survey, stampAt } from './surveyFiles.ts'

export type BaselineOptions = {
  readonly known: ReadonlyMap<string, Backup>
  /** What was judged. */
  readonly now: Survey
  /** What stands there after what was refused has been put back. */
  readonly after: Survey
  /** Paths that were put back, taken away, or must be seen once more. */
  readonly again: ReadonlySet<string>
  /** True where what git ignores may be other files now: what only then comes into sight was there before. */
  readonly haveIgnoreRulesChanged: boolean
}

/**
 * The state that further changes are told from: all that was judged as it was judged. What another command changed since
 * differs from it, so that it is judged the next time.
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
    if (backup !== undefined) seen.set(path, backup)
  }
  return seen
}

import { readRegular } from '../../lib/fs/readRegular.ts'
import type { PathStates } from '../judge/JudgeChanges.ts'
import { type FileStamp, type KnownStamps, type Survey, stampAt } from './surveyFiles.ts'

export type BaselineOptions = {
  readonly known: KnownStamps
  /** What was judged, as it differs from `known`. */
  readonly now: Survey
  /** The state after refused changes were undone; another one than `now` if git may ignore other files than before. */
  readonly after: Survey
  /** Paths that were restored or removed, or must be compared again. */
  readonly again: ReadonlySet<string>
}

/**
 * How the state that later changes are compared with differs from `known`: each judged path as it was when it was
 * judged. What another command changed since then differs from this state, so the next comparison judges it. A file
 * that is listed only because git ignores less than before is not new.
 */
export function nextBaseline({ known, now, after, again }: BaselineOptions): Survey {
  const isIn = ({ found, gone }: Survey, path: string) => found.has(path) || (known.has(path) && !gone.has(path))
  const listed = [...after.found].filter(([path]) => !isIn(now, path))
  const judged = [...now.found].filter(([path]) => isIn(after, path) || stampAt(path) === undefined)
  const gone = [...after.gone].filter((path) => now.gone.has(path) || stampAt(path) !== undefined)
  return {
    found: new Map([...listed, ...judged].filter(([path]) => !again.has(path))),
    gone: new Set(gone.filter((path) => !again.has(path))),
  }
}

/** What the judge wrote counts as judged, unless somebody wrote there since. */
export function seenAs(now: Map<string, FileStamp>): NonNullable<PathStates['rewrote']> {
  return (path, content) => {
    const stamp = stampAt(path)
    if (stamp !== undefined && readRegular(path)?.equals(content) === true) now.set(path, stamp)
  }
}

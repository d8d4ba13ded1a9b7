import { readFileSync, readlinkSync } from 'node:fs'
import type { PathChange } from '../../contracts/effects.ts'
import { diskPath } from '../../lib/fs/diskPath.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { orElse } from '../../lib/orElse.ts'
import { changeOf } from '../changeOf.ts'
import type { PathStates } from '../judge/JudgeChanges.ts'
import { hasGitContent } from './gitContents.ts'
import type { Backup } from './openBackups.ts'
import { type FileStamp, type KnownStamps, type Survey, stampAt } from './surveyFiles.ts'

/** The changes of what differs from a known state: a folder before its content, a removal before its replacement. */
export function compareBackups(known: ReadonlyMap<string, Backup>, { found, gone }: Survey): PathChange[] {
  const differing = [...found.keys(), ...gone].sort()
  return differing.flatMap((path) => changesAt(path, known.get(path), found.get(path)))
}

/** Files and links with a new stamp but no change: rewritten unchanged, or with one hard link more or less. */
export function touchedFiles(
  known: ReadonlyMap<string, Backup>,
  { found }: Survey,
  changes: readonly PathChange[],
): readonly { readonly path: string; readonly old: FileStamp; readonly stamp: FileStamp }[] {
  const changed = new Set(changes.map(({ path }) => path))
  return [...found].flatMap(([path, stamp]) => {
    const old = known.get(path)?.stamp
    return old === undefined || changed.has(path) || stamp.kind === 'folder' ? [] : [{ path, old, stamp }]
  })
}

function changesAt(path: string, before: Backup | undefined, after: FileStamp | undefined): PathChange[] {
  if (after === undefined) return before === undefined ? [] : [change(path, 'deleted', before.stamp)]
  if (before === undefined) return [change(path, 'created', after)]
  if (before.stamp.kind !== after.kind) return [change(path, 'deleted', before.stamp), change(path, 'created', after)]
  if (!hasSameContent(path, before, after)) return [change(path, 'modified', after, before.stamp)]
  const isSame = (['mode', 'uid', 'gid'] as const).every((key) => before.stamp[key] === after[key])
  return isSame ? [] : [change(path, 'mode', after, before.stamp)]
}

/** A file that was rewritten with the same content did not change. */
function hasSameContent(path: string, backup: Backup, after: FileStamp): boolean {
  if (after.kind !== 'file' && after.kind !== 'link') return true
  if (backup.stamp.size !== after.size) return false
  if (backup.git !== undefined) return hasGitContent(path, backup.git)
  const { copy } = backup
  if (copy === undefined) return false
  return orElse(false, () => {
    if (after.kind === 'link') return readlinkSync(diskPath(path)) === readlinkSync(copy)
    return readFileSync(diskPath(path)).equals(readFileSync(copy))
  })
}

function change(path: string, kind: PathChange['kind'], { mode }: FileStamp, before?: FileStamp) {
  // Only a link has one.
  const target = kind === 'deleted' ? undefined : orElse(undefined, () => readlinkSync(diskPath(path)))
  return changeOf(path, kind, mode, { before: before?.mode, target })
}

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

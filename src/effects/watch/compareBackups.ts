import { readFileSync, readlinkSync } from 'node:fs'
import type { PathChange } from '../../contracts/effects.ts'
import { diskPath } from '../../lib/fs/diskPath.ts'
import { orElse } from '../../lib/orElse.ts'
import { hasGitContent } from './gitContents.ts'
import type { Backup } from './openBackups.ts'
import type { FileStamp, Survey } from './surveyFiles.ts'

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
  if (backup.git !== undefined) return after.kind === 'file' && hasGitContent(path, backup.git)
  const { copy } = backup
  if (copy === undefined) return false
  return orElse(false, () => {
    if (after.kind === 'link') return readlinkSync(diskPath(path)) === readlinkSync(copy)
    return readFileSync(diskPath(path)).equals(readFileSync(copy))
  })
}

function change(path: string, kind: PathChange['kind'], stamp: FileStamp, before?: FileStamp): PathChange {
  const entry = stamp.kind
  const bits = stamp.mode & 0o6000 & ~(before?.mode ?? 0)
  const target = entry === 'link' && kind !== 'deleted' ? targetOf(path) : undefined
  return {
    ...{ path, kind, entry },
    ...(target !== undefined && { target }),
    ...(entry === 'file' && kind !== 'deleted' && bits !== 0 && { isSetId: true as const }),
  }
}

function targetOf(path: string): string | undefined {
  return orElse(undefined, () => readlinkSync(diskPath(path)))
}

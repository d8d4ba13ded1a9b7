import { readFileSync, readlinkSync } from 'node:fs'
import type { PathChange } from '../../contracts/effects.ts'
import { diskPath } from '../../lib/fs/diskPath.ts'
import type { Backup } from './openBackups.ts'
import type { FileStamp, Survey } from './surveyFiles.ts'

/** The changes between a known state and now: a folder before its content, a removal before its replacement. */
export function compareBackups(known: ReadonlyMap<string, Backup>, now: Survey): PathChange[] {
  const paths = new Set([...known.keys(), ...now.keys()])
  return [...paths].sort().flatMap((path) => {
    const [before, after] = [known.get(path), now.get(path)]
    return before?.stamp.word === after?.word ? [] : changesAt(path, before, after)
  })
}

/** Files and links with a new stamp but no change: rewritten unchanged, or with one hard link more or less. */
export function touchedFiles(
  known: ReadonlyMap<string, Backup>,
  now: Survey,
  changes: readonly PathChange[],
): readonly { readonly path: string; readonly word: string; readonly stamp: FileStamp }[] {
  const changed = new Set(changes.map(({ path }) => path))
  return [...now].flatMap(([path, stamp]) => {
    const word = known.get(path)?.stamp.word
    return word === undefined || word === stamp.word || changed.has(path) || stamp.kind === 'folder'
      ? []
      : [{ path, word, stamp }]
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
  const { copy } = backup
  if (copy === undefined) return false
  try {
    if (after.kind === 'link') return readlinkSync(diskPath(path)) === readlinkSync(copy)
    return readFileSync(diskPath(path)).equals(readFileSync(copy))
  } catch {
    return false
  }
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
  try {
    return readlinkSync(diskPath(path))
  } catch {
    return undefined
  }
}

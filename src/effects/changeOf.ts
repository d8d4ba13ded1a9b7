import { constants } from 'node:fs'
import type { EntryKind, PathChange } from '../contracts/effects.ts'

const KINDS = new Map<number, EntryKind>([
  [constants.S_IFREG, 'file'],
  [constants.S_IFDIR, 'folder'],
  [constants.S_IFLNK, 'link'],
  [constants.S_IFIFO, 'fifo'],
  [constants.S_IFSOCK, 'socket'],
])

export function entryKind(mode: number): EntryKind {
  return KINDS.get(mode & constants.S_IFMT) ?? 'device'
}

type Details = {
  /** The mode that the entry had before. */
  readonly before?: number | undefined
  /** Where a link leads now. */
  readonly target?: string | undefined
}

/** A change of an entry with this mode. Only set-id bits that it did not have before are a change of their own. */
export function changeOf(path: string, kind: PathChange['kind'], mode: number, details: Details = {}): PathChange {
  const { before = 0, target } = details
  const entry = entryKind(mode)
  const isSetId = entry === 'file' && kind !== 'deleted' && (mode & 0o6000 & ~before) !== 0
  return { path, kind, entry, ...(target !== undefined && { target }), ...(isSetId && { isSetId }) }
}

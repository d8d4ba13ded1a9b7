import { isAbsolute, normalize, sep } from 'node:path'
import type { Behavior } from '../contracts/decision.ts'
import { FileError } from '../contracts/files.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { resolvePath } from './resolvePath.ts'
import { fileError } from './toFileError.ts'

/** Where in-process tools may read and write. All paths absolute. */
export type FilePlaces = {
  /** The working directories. */
  readonly roots: readonly string[]
  /** Files and folders that may also be read: the run's own blobs. They win over `forbidden`. */
  readonly extraReadable?: readonly string[]
  /** Files and folders that are never read or written: transcript folder, the runner's command files. */
  readonly forbidden: readonly string[]
  /** Files and folders that are never written: the policy's files. */
  readonly readOnly?: readonly string[]
  /** What rules say of the resolved path: `allow` opens one outside the roots, `deny` closes one anywhere. */
  verdict?(path: string, access: 'read' | 'write'): Behavior | undefined
}

/** Throws unless `path` may be read or written. Checks the path alone, not what is there. */
export type PlaceCheck = (path: string, access: 'read' | 'write') => void

/** Kernel interfaces that look like files, such as `/proc/self/environ`. */
const KERNEL = ['/proc', '/sys', '/dev']

/** The place check, with every given path also in its resolved form. */
export function createPlaceCheck(places: FilePlaces): PlaceCheck {
  const roots = withResolved(places.roots)
  const extraReadable = withResolved(places.extraReadable ?? [])
  const forbidden = withResolved(places.forbidden)
  const readOnly = withResolved(places.readOnly ?? [])

  return (path, access) => {
    if (!isAbsolute(path) || path.includes('\0') || normalize(path) !== path || (path.endsWith(sep) && path !== sep)) {
      throw new FileError('outside', `${JSON.stringify(path)} is not a resolved absolute path`)
    }
    if (isInside(path, KERNEL)) throw fileError('protected', path, 'is not a file on disk; it is never opened')
    if (access === 'read' && isInside(path, extraReadable)) return
    if (isInside(path, forbidden)) throw fileError('protected', path, 'belongs to the run itself')
    if (access === 'write' && isInside(path, readOnly))
      throw fileError('protected', path, "belongs to the run's policy and cannot be changed")
    const verdict = places.verdict?.(path, access)
    if (verdict !== 'allow' && !isInside(path, roots))
      throw fileError('outside', path, 'is outside the working directories')
    if (verdict === 'deny') throw fileError('protected', path, 'is denied by the policy')
  }
}

function isInside(path: string, places: readonly string[]): boolean {
  return places.some((place) => isWithin(path, place))
}

function withResolved(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => [normalize(path), resolvePath(path, '/', '/').resolved]))]
}

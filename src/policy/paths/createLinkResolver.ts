import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { resolvePath } from '../../files/resolvePath.ts'

/** Where a path leads, and whether anything exists there now. */
type Place = { readonly path: string; readonly isThere: boolean }

/**
 * A function that resolves absolute paths, even if their end does not exist yet. It checks each folder once, so a
 * thousand rules cost little. Make a new one for fresh results.
 */
export function createLinkResolver(): (path: string) => string {
  const known = new Map<string, Place>([['/', { path: '/', isThere: true }]])
  const placeOf = (path: string): Place => {
    const found = known.get(path) ?? lookUp(path, placeOf(dirname(path)))
    known.set(path, found)
    return found
  }
  return (path) => placeOf(path).path
}

function lookUp(path: string, folder: Place): Place {
  const plain = join(folder.path, basename(path))
  if (!folder.isThere) return { path: plain, isThere: false }
  try {
    const stat = lstatSync(plain, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink() !== true) return { path: plain, isThere: stat?.isDirectory() === true }
    return { path: realpathSync.native(plain), isThere: true }
  } catch {
    const { resolved } = resolvePath(plain, '/', '/')
    return { path: resolved, isThere: false }
  }
}

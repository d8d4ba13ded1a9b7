import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { resolvePath } from '../files/resolvePath.ts'

/** Where a place leads, and whether anything is there now. */
type Place = { readonly path: string; readonly isThere: boolean }

/**
 * A function that tells where absolute paths lead now, also those whose end is not there yet. It asks once for each folder,
 * so that a thousand rules cost little; make a new one for a new look.
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

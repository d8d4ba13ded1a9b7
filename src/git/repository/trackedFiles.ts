import { join } from 'node:path'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { indexNames } from './gitIndex.ts'

/** The paths in the index of a git directory, read without git. None if there is no index, or it cannot be read. */
export function trackedPaths(gitDir: string | undefined): ReadonlySet<string> {
  const bytes = gitDir === undefined ? undefined : readRegular(join(gitDir, 'index'))
  return new Set(bytes && indexNames(bytes, 20))
}

/** What git tracks of a repository. */
export type TrackedFiles = ReturnType<typeof trackedFiles>

/** If the index cannot be read, everything may be tracked. */
export const ALL_TRACKED: TrackedFiles = { has: () => true, hasBelow: () => true }

/** From the names of an index. */
export function trackedFiles(names: readonly string[]) {
  const paths = new Set(names)
  const folders = new Set<string>()
  let last = ''
  for (const path of names) {
    // An index is sorted, so most files are in the folder of the one before.
    if (path.lastIndexOf('/') === last.length && path.startsWith(last)) continue
    last = folderOf(path)
    for (let folder = last; folder !== '' && !folders.has(folder); folder = folderOf(folder)) folders.add(folder)
  }
  /** A sparse index names a folder, with a trailing slash, for everything in it. */
  const sparse = names.filter((path) => path.endsWith('/'))
  const isInSparse = (path: string) => sparse.some((folder) => `${path}/`.startsWith(folder))
  return {
    /** `path` relative to the top of the repository. */
    has: (path: string) => paths.has(path) || isInSparse(path),
    hasBelow: (folder: string) => folders.has(folder) || paths.has(folder) || isInSparse(folder),
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

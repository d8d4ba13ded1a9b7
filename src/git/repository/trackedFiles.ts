import { join } from 'node:path'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { type GitIndex, parseGitIndex } from './gitIndex.ts'

/** The paths in the index of a git directory, read without git. None if there is no index, or it cannot be read. */
export function trackedPaths(gitDir: string | undefined): ReadonlySet<string> {
  const bytes = gitDir === undefined ? undefined : readRegular(join(gitDir, 'index'))
  return new Set(bytes && parseGitIndex(bytes)?.entries.map(({ path }) => path))
}

/** What git tracks of a repository. */
export type TrackedFiles = {
  /** `path` relative to the top of the repository. */
  has(path: string): boolean
  hasBelow(folder: string): boolean
}

/** If the index cannot be read, everything may be tracked. */
export const ALL_TRACKED: TrackedFiles = { has: () => true, hasBelow: () => true }

export function trackedFiles({ entries }: GitIndex): TrackedFiles {
  const paths = new Set(entries.map(({ path }) => path))
  const folders = new Set<string>()
  for (const path of paths) {
    for (
      let at = path.lastIndexOf('/');
      at > 0 && !folders.has(path.slice(0, at));
      at = path.lastIndexOf('/', at - 1)
    ) {
      folders.add(path.slice(0, at))
    }
  }
  /** A sparse index names a folder, with a trailing slash, for everything in it. */
  const sparse = entries.flatMap(({ path, mode }) => (mode === '040000' ? [path] : []))
  const isInSparse = (path: string) => sparse.some((folder) => `${path}/`.startsWith(folder))
  return {
    has: (path) => paths.has(path) || isInSparse(path),
    hasBelow: (folder) => folders.has(folder) || paths.has(folder) || isInSparse(folder),
  }
}

import { join } from 'node:path'
import { isWithin } from '../lib/isWithin.ts'
import { readRegular } from '../lib/readRegular.ts'
import type { CheckoutRepository } from './findRepositories.ts'
import { parseGitIndex } from './gitIndex.ts'
import { createIgnoreLookup } from './ignoreLookup.ts'
import { ALL_TRACKED, type TrackedFiles, trackedFiles } from './trackedFiles.ts'

/** Ignored in folders outside of git, where no `.gitignore` can be expected: what package managers bring. */
const PLAIN_IGNORED = ['node_modules', '.venv', '__pycache__'] as const

export type ScratchOptions = {
  readonly roots: readonly string[]
  readonly repositories: readonly CheckoutRepository[]
  /** Where the state before the command can be read. */
  before(path: string): string | undefined
  /** The user's own rules for all repositories, and where those stand. */
  readonly excludesFile?: string | undefined
}

/** The topmost entry at or above a path that git ignores, where git does not track the path; undefined otherwise. */
export type FindScratch = (path: string, isFolder: boolean) => string | undefined

/** As the files stood before the command: what it wrote into an ignore file or an index itself counts for nothing. */
export function createScratchLookup({ roots, repositories, before, excludesFile }: ScratchOptions): FindScratch {
  const read = (path: string) => readRegular(before(path))?.toString('utf8')
  const readOuter = (path: string) => (path === excludesFile ? readRegular(path)?.toString('utf8') : read(path))
  const places = [
    ...repositories.map(({ top, gitDir, commonDir, oidBytes }) => ({
      top,
      find: createIgnoreLookup({
        top,
        read: readOuter,
        outer: [...(excludesFile === undefined ? [] : [excludesFile]), join(commonDir, 'info', 'exclude')],
      }),
      tracked: later(() => tracked(before(join(gitDir, 'index')), oidBytes)),
    })),
    ...roots.map((top) => ({
      top,
      find: createIgnoreLookup({ top, read, outer: [], plain: PLAIN_IGNORED }),
      tracked: () => NOTHING,
    })),
  ]
  const placeOf = (path: string) => places.find(({ top }) => isWithin(path, top))
  return (path, isFolder) => {
    const place = placeOf(path)
    if (place === undefined) return undefined
    const name = path.slice(place.top.length + 1)
    const files = place.tracked()
    // Looked up first: it is quicker than the rules, and most files of a checkout are tracked.
    if (files.has(name)) return undefined
    const ignored = place.find(path, isFolder)
    if (ignored === undefined) return undefined
    const isTracked = isFolder && files.hasBelow(name)
    return isTracked ? undefined : ignored.top
  }
}

const NOTHING: TrackedFiles = { has: () => false, hasBelow: () => false }

function tracked(index: string | undefined, oidBytes: number): TrackedFiles {
  const bytes = readRegular(index)
  if (bytes === undefined) return NOTHING
  const parsed = parseGitIndex(bytes, oidBytes)
  return parsed === undefined ? ALL_TRACKED : trackedFiles(parsed)
}

function later<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

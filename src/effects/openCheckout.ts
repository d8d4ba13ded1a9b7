import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { type CheckoutRepository, findRepositories } from '../git/repository/findRepositories.ts'
import { indexNames } from '../git/repository/gitIndex.ts'
import { ALL_TRACKED, type TrackedFiles, trackedFiles } from '../git/repository/trackedFiles.ts'
import { WORKTREE_FOLDER } from '../git/states/gitWorktree.ts'
import { createIgnoreLookup } from '../lib/fs/ignoreLookup.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { readRegular } from '../lib/fs/readRegular.ts'
import { once } from '../lib/memoize.ts'

/** The checkout as all see it who judge or compare its changes. */
export type Checkout = ReturnType<typeof openCheckout>

/**
 * Looks for the repositories once, and parses an index once as long as its content stays the same. `roots`: absolute and
 * resolved, none within another; with git directories outside of the others.
 */
export function openCheckout(roots: readonly string[]) {
  const repositories = findRepositories(roots)
  const readTracked = createTrackedReader()
  return {
    roots,
    /** As of the start: a folder that becomes a repository later is not part of the checkout. */
    repositories,
    /** What git ignores, as of the state that `before` reads; see `ScratchOptions` for worktrees. */
    findScratch: (before: ScratchOptions['before'], looksIntoWorktrees = false) =>
      createScratchLookup({ roots, repositories, before, readTracked, looksIntoWorktrees }),
  }
}

/** Ignored outside of git, where no `.gitignore` can be expected: the folders of package managers. */
const PLAIN_IGNORED = ['node_modules', '.venv', '__pycache__'] as const

export type ScratchOptions = {
  readonly roots: readonly string[]
  readonly repositories: readonly CheckoutRepository[]
  /** Where to read the state before the command. */
  before(path: string): string | undefined
  /** Reads an index. */
  readonly readTracked: TrackedReader
  /** True: what lies in a worktree of the run is ignored as the worktree says, not because all worktrees are. */
  readonly looksIntoWorktrees?: boolean
}

/** The topmost ignored entry at or above a path, if git does not track the path; otherwise undefined. */
export type FindScratch = (path: string, isFolder: boolean) => string | undefined

/** As of before the command: its own changes to ignore files or an index do not count. */
export function createScratchLookup(options: ScratchOptions): FindScratch {
  const { roots, repositories, before, readTracked, looksIntoWorktrees = false } = options
  const read = (path: string) => readRegular(before(path))?.toString('utf8')
  const ofRepository = ({ top, gitDir, commonDir, oidBytes }: Omit<CheckoutRepository, 'shallow'>) => ({
    top,
    find: createIgnoreLookup({ top, read, outer: [join(commonDir, 'info', 'exclude')] }),
    tracked: once(() => readTracked(before(join(gitDir, 'index')), oidBytes)),
  })
  const places = [
    ...repositories.map(ofRepository),
    ...roots.map((top) => ({
      top,
      find: createIgnoreLookup({ top, read, outer: [], plain: PLAIN_IGNORED }),
      tracked: () => NOTHING,
    })),
  ]
  const worktrees = new Map<string, (typeof places)[number]>()
  const worktreeFolders = looksIntoWorktrees ? repositories.map(({ top }) => join(top, WORKTREE_FOLDER, '/')) : []
  const worktreeOf = (path: string) => {
    const repository = repositories[worktreeFolders.findIndex((folder) => path.startsWith(folder))]
    if (repository === undefined) return undefined
    const name = path.slice(repository.top.length + 1).split('/')[1] ?? ''
    const top = join(repository.top, WORKTREE_FOLDER, name)
    const gitDir = join(repository.commonDir, 'worktrees', name)
    const known = worktrees.get(top) ?? ofRepository({ ...repository, top, gitDir })
    worktrees.set(top, known)
    return name === '' || path === top ? undefined : known
  }
  const placeOf = (path: string) => worktreeOf(path) ?? places.find(({ top }) => isWithin(path, top))
  return (path, isFolder) => {
    const place = placeOf(path)
    if (place === undefined) return undefined
    const name = path.slice(place.top.length + 1)
    const files = place.tracked()
    // Checked first, because it is faster than the rules and most files of a checkout are tracked.
    if (files.has(name)) return undefined
    const ignored = place.find(path, isFolder)
    return isFolder && files.hasBelow(name) ? undefined : ignored
  }
}

const NOTHING: TrackedFiles = { has: () => false, hasBelow: () => false }

/** What git tracks, by the path of an index. */
export type TrackedReader = (index: string | undefined, oidBytes: number) => TrackedFiles

/** Parses an index again only if its bytes have changed: it is large, and most commands leave it as it is. */
export function createTrackedReader(): TrackedReader {
  const known = new Map<string, { readonly hash: string; readonly files: TrackedFiles }>()
  return (index = '', oidBytes) => {
    const bytes = readRegular(index)
    if (bytes === undefined) return NOTHING
    const hash = createHash('sha256').update(bytes).digest('hex')
    const last = known.get(index)
    if (last?.hash === hash) return last.files
    const names = indexNames(bytes, oidBytes)
    const files = names === undefined ? ALL_TRACKED : trackedFiles(names)
    known.set(index, { hash, files })
    return files
  }
}

/** The lookup, which reads a file of rules when it is asked about the file: a call may change it later. */
export function readAhead(find: FindScratch): FindScratch {
  return (path, isFolder) => {
    // Git tracks no such name, so the rules are asked.
    if (basename(path) === '.gitignore') find(join(dirname(path), '\u0001'), false)
    return find(path, isFolder)
  }
}

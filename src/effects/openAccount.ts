import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { PathChange } from '../contracts/effects.ts'
import { messageOf } from '../contracts/errors.ts'
import type { FileChange } from '../contracts/events.ts'
import { makeOwnGitDir, type RunGit } from '../git/own/ownGit.ts'
import type { TreeEntry } from '../git/repository/gitObjects.ts'
import { openBlobPack } from '../git/repository/openBlobPack.ts'
import { compareStates, type WorkTreeDiff } from '../git/states/compareStates.ts'
import { partsOf, patchedEntries, pathsIn } from '../git/states/stagePatch.ts'
import { shownName } from '../lib/fs/diskPath.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { readEntry } from '../lib/fs/listTree.ts'
import { throughFolder } from '../lib/fs/openFolderHandle.ts'
import { type Checkout, type FindScratch, readAhead } from './openCheckout.ts'
import { type FileStamp, stampAt, walkFiles } from './watch/surveyFiles.ts'

export type AccountOptions = {
  readonly checkout: Checkout
  /** The base of the paths in changes and patches. */
  readonly top: string
  /** What the run itself writes, such as its records: not counted as changes. Absolute and resolved. */
  readonly own?: readonly string[] | undefined
  /** A folder of the run for the stored files; may not exist yet. */
  readonly folder: string
  readonly runGit: RunGit
}

export type AccountReport = WorkTreeDiff & {
  /** Absolute paths that changed without a call. */
  readonly unaccounted: readonly string[]
  /** Why the checkout could not be compared: `unaccounted` is not known then. */
  readonly problem?: string
}

export type Account = ReturnType<typeof openAccount>

type SomeChange = Pick<PathChange, 'path'> & Partial<Pick<PathChange, 'kind' | 'entry'>>

/** A file that git ignores, by its absolute path. */
export type IgnoredFile = { readonly path: string; readonly by: readonly string[] }

type Entry = { readonly before: TreeEntry | undefined; readonly by: Set<string> }

/** The stamp that each file has while nobody but calls touches it; undefined where there is none. */
type Expected = Map<string, FileStamp | undefined>

/**
 * Who changed which files of the work tree, from what to what. Ignored files and git's own files are not included.
 * Starts to read the checkout at once; the first `before` waits until that is done.
 */
export function openAccount({ checkout, top, own, folder, runGit }: AccountOptions) {
  const { roots, repositories } = checkout
  const entries = new Map<string, Entry>()
  const problems: string[] = []
  const objects = openBlobPack(folder)
  /** The stamps of all files that git does not ignore; those of `known` where nobody touched the file. */
  const survey = async (isScratch: FindScratch, known?: Expected): Promise<Map<string, FileStamp>> => {
    const options = { roots, repositories, isScratch, own }
    const stamps = new Map<string, FileStamp>()
    await walkFiles(options, (path, entry) => {
      const stamp = stampAt(entry, known?.get(path))
      if (stamp !== undefined) stamps.set(path, stamp)
    })
    return stamps
  }
  const begin = async () => {
    makeOwnGitDir(folder, undefined)
    const wasScratch = readAhead(checkout.findScratch((path) => path))
    const first = await survey(wasScratch)
    return { first, expected: new Map(first) as Expected, wasScratch }
  }
  const start = begin()
  start.catch(() => undefined)

  /** A file that cannot be stored is left out: the patch would be wrong about it, and says so. */
  const storedEntry = (path: string | undefined): TreeEntry | undefined => {
    if (path === undefined) return undefined
    const found = tryTo(() => throughFolder(path, readEntry))
    if (found instanceof Error) {
      problems.push(`${relative(top, path)} (${found.message})`)
      return undefined
    }
    return found && { mode: found.mode, oid: objects.putBlob(found.content) }
  }
  let present: FindScratch | undefined
  /** Whether git ignores a path since the last change that was noted; in a worktree of the run, as that says. */
  const isIgnored = (path: string): boolean => {
    present ??= checkout.findScratch((each) => each, true)
    return present(path, false) !== undefined
  }
  const isOfWorkTree = (path: string): boolean =>
    !/\/\.git(?:\/|$)/.test(path) && roots.some((root) => isWithin(path, root))
  const stateOf = (pick: (path: string, entry: Entry) => TreeEntry | undefined): Map<string, TreeEntry> => {
    const inTop = [...entries].filter(([path]) => isWithin(path, top))
    return new Map(
      inTop.flatMap(([path, entry]) => {
        const stored = pick(path, entry)
        return stored === undefined ? [] : [[relative(top, path), stored] as const]
      }),
    )
  }
  /** The stamps that restored files had before. */
  const replaced = new Map<string, FileStamp>()
  const ignored = new Map<string, { readonly isNew: boolean; readonly by: Set<string> }>()
  const noteIgnored = (changes: readonly SomeChange[], by: string): void => {
    for (const { path, kind, entry } of changes) {
      if (entry === 'folder' || entries.has(path) || !isIgnored(path)) continue
      const known = ignored.get(path) ?? { isNew: kind === 'created', by: new Set() }
      if (kind === 'deleted' && known.isNew) ignored.delete(path)
      else ignored.set(path, { ...known, by: known.by.add(by) })
    }
  }
  const unaccounted = async (): Promise<string[]> => {
    const { first, expected, wasScratch } = await start
    const isScratch = checkout.findScratch((path) => path)
    const now = await survey(isScratch, expected)
    // Calls may change what git ignores: what it ignores only now is looked at here, what it ignored then is not known.
    for (const path of first.keys()) {
      const stamp = now.has(path) ? undefined : stampAt(path, expected.get(path))
      if (stamp !== undefined && stamp.kind !== 'folder') now.set(path, stamp)
    }
    const isKnown = (path: string) => first.has(path) || expected.has(path) || wasScratch(path, false) === undefined
    const isTwin = (old: FileStamp | undefined, stamp: FileStamp) =>
      old !== undefined && old.nlink > 1 && old.isSameButForChange(stamp)
    const differing = [...now].filter(
      ([path, stamp]) => stamp !== expected.get(path) && !isTwin(first.get(path), stamp) && isKnown(path),
    )
    const gone = [...first.keys()].filter((path) => !now.has(path) && expected.get(path) !== undefined)
    return [...differing.map(([path]) => path), ...gone].sort()
  }
  return {
    /** Ends when the state at the start is known: a change before that would be nobody's. */
    ready: () =>
      start.then(
        () => undefined,
        () => undefined,
      ),
    /**
     * Call it before a path is changed: its state becomes the first one, unless there is one, or git ignores it. `from`,
     * if the path already changed and git did not ignore it: where the old state is; undefined if nothing was there.
     */
    async before(path: string, ...from: readonly [(string | undefined)?]) {
      const { expected, first } = await start
      if (entries.has(path) || !isOfWorkTree(path) || (from.length === 0 && isIgnored(path))) return
      const stamp = stampAt(path)
      // What was not there at the start, such as the files of a worktree, does not become a deletion in the end.
      const old = from.length > 0 ? from[0] : stamp && path
      entries.set(path, { before: first.has(path) ? storedEntry(old) : undefined, by: new Set() })
      expected.set(path, fileOnly(stamp))
    },
    /** Call it after a tool call changed paths. */
    async after(changes: readonly SomeChange[], by: string) {
      const { expected } = await start
      for (const { path } of changes) {
        const entry = entries.get(path)
        if (entry === undefined) continue
        entry.by.add(by)
        expected.set(path, fileAt(path))
      }
      present = undefined
      noteIgnored(changes, by)
    },
    /** Call it with changes of files that git ignores, after a command ended. */
    ignored: noteIgnored,
    /** The ignored files that calls changed, with the ids of the calls. A new file that is gone again does not count. */
    ignoredFiles: (): readonly IgnoredFile[] => [...ignored].map(([path, { by }]) => ({ path, by: [...by] })),
    /** Ignored files that were made anew. */
    forget(paths: readonly string[]) {
      for (const path of paths) ignored.delete(path)
    },
    /** Files that were restored to the stamp `old`, maybe again: the account accepts the present state for that. */
    async restored(files: readonly { readonly path: string; readonly old: FileStamp }[]) {
      const { expected } = await start
      for (const { path, old } of files) {
        if (![expected.get(path), replaced.get(path)].some((stamp) => stamp?.isSame(old) === true)) continue
        replaced.set(path, old)
        expected.set(path, fileAt(path))
      }
    },
    /** Adds the changes of an earlier run that the files already contain. Returns the files that do not. */
    async adopt(patch: string, changes: readonly Pick<FileChange, 'path' | 'by'>[]): Promise<readonly string[]> {
      const { expected } = await start
      const paths = [...pathsIn(patch)].filter((name) => !entries.has(join(top, name)))
      const before = paths.flatMap((name) => {
        const stored = storedEntry(join(top, name))
        return stored === undefined ? [] : [[name, stored] as const]
      })
      objects.store()
      const undo = (part: string) =>
        patchedEntries(folder, { patch: part, before: new Map(before), isReversed: true }, runGit)
      const left: string[] = []
      const undoEach = async () => {
        const old: [string, TreeEntry | undefined][] = []
        for (const part of partsOf(patch)) {
          const undone = await undo(part)
          if (undone === undefined)
            left.push(...[...pathsIn(part)].filter((name) => name !== 'dev/null').map(shownName))
          else old.push(...undone)
        }
        return old
      }
      const old = (await undo(patch)) ?? (await undoEach())
      const authors = new Map(changes.map(({ path, by }) => [path, by]))
      for (const [name, stored] of old) {
        const path = join(top, name)
        entries.set(path, { before: stored, by: new Set(authors.get(shownName(name))) })
        expected.set(path, fileAt(path))
      }
      return left
    },
    /** The changes from the first states to the present state. */
    async report(): Promise<AccountReport> {
      try {
        const states = [stateOf((_, { before }) => before), stateOf(storedEntry)] as const
        objects.store()
        const diff = await compareStates(folder, states, runGit)
        const authors = new Map([...entries].map(([path, { by }]) => [shownName(relative(top, path)), by]))
        const changes = diff.changes.map((change) => ({ ...change, by: [...(authors.get(change.path) ?? [])] }))
        const note = problems.length === 0 ? diff.note : `not in the patch: ${[...new Set(problems)].join(', ')}`
        return { ...diff, note, changes, unaccounted: await unaccounted() }
      } catch (error) {
        const problem = messageOf(error)
        const note = `the patch could not be assembled: ${problem}`
        return { patch: null, changes: [], note, unaccounted: [], problem }
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Nothing for a folder: its files represent it. */
function fileOnly(stamp: FileStamp | undefined): FileStamp | undefined {
  return stamp?.kind === 'folder' ? undefined : stamp
}

const fileAt = (path: string) => fileOnly(stampAt(path))

function tryTo<T>(read: () => T): T | Error {
  try {
    return read()
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error))
  }
}

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../contracts/errors.ts'
import { compareStates, type WorkTreeDiff } from './compareStates.ts'
import { openObjects } from './gitObjects.ts'
import { commonDir, findRepository, makeOwnGitDir, type Repository, type RunGit, readHead } from './ownGit.ts'
import { patchedEntries, pathsIn } from './patchedEntries.ts'
import { PLAIN_IGNORED, plainTreeProblem } from './plainTreeProblem.ts'
import { type IndexEntry, readIndex } from './readIndex.ts'
import { type TreeState, treeState } from './treeState.ts'

export type { WorkTreeDiff } from './compareStates.ts'
export type { RunGit } from './ownGit.ts'

/** A work tree whose state can be kept and compared. */
export interface WorkTree {
  /** The commit that is checked out; null outside git or before the first commit. */
  readonly commit: string | null
  /** What the paths of changes and patches start from: the top folder of the repository. */
  readonly top: string
  /** Keeps the state of all files that git does not ignore. Called before anything is changed; the first call counts. */
  snapshot(signal?: AbortSignal): Promise<void>
  /** Keeps the state that was before a patch which the files hold already; false where they do not hold it. */
  rewind(patch: string): Promise<boolean>
  /** `git diff` from the kept state to now, new files included. */
  diff(): Promise<WorkTreeDiff>
  /** Removes what the comparison needed. */
  close(): Promise<void>
}

/**
 * The work tree at `cwd`. We list and read the files ourselves; git sees a directory of our own, whose only link to the
 * repository is its object store, and no work tree: nothing that lies in the checkout can make it start a program, and
 * nothing is written there. A folder outside of git is kept as well, unless it is large.
 */
export async function openWorkTree(cwd: string, runGit: RunGit): Promise<WorkTree> {
  const found = await findRepository(cwd)
  const gitDir = found?.gitDir
  let folder: string | undefined
  let own: Kept | undefined
  let problem = 'nothing was changed'
  const snapshot = async (signal?: AbortSignal): Promise<void> => {
    if (folder !== undefined) return
    try {
      folder = await mkdtemp(join(tmpdir(), 'kode-run-tree-'))
      const refusal = found === undefined ? await plainTreeProblem(cwd) : undefined
      if (refusal === undefined) own = await keepState(folder, { found, cwd }, signal)
      else problem = refusal
    } catch (error) {
      if (signal?.aborted === true) return
      problem = `the state of before could not be kept, no patch can be made: ${messageOf(error)}`
    }
  }
  const compareNow = async (): Promise<WorkTreeDiff> => {
    if (own === undefined) return { patch: null, changes: [], note: problem }
    const now = await own.look()
    return compareStates(own.folder, [own.state, now], runGit)
  }
  /** One comparison after the other. */
  let last: Promise<unknown> = Promise.resolve()
  return {
    commit: gitDir === undefined ? null : await readHead(gitDir),
    top: found?.top ?? cwd,
    snapshot,
    async rewind(patch) {
      await snapshot()
      if (own === undefined) return false
      const before = picked(own.state, pathsIn(patch))
      const entries = await patchedEntries(own.folder, { patch, before, isReversed: true }, runGit)
      if (entries === undefined) return false
      const state = new Map(own.state)
      for (const [path, entry] of entries) {
        if (entry === undefined) state.delete(path)
        else state.set(path, entry)
      }
      own = { ...own, state }
      return true
    },
    diff() {
      const diff = last.then(compareNow)
      last = diff.catch(() => undefined)
      return diff
    },
    async close() {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A git directory of our own, the kept state with its contents in it, and a way to see the state of now. */
type Kept = { readonly folder: string; readonly state: TreeState; look(): Promise<TreeState> }

type Source = { readonly found: Repository | undefined; readonly cwd: string }

async function keepState(folder: string, { found, cwd }: Source, signal?: AbortSignal): Promise<Kept> {
  await makeOwnGitDir(folder, found?.gitDir)
  const tracked = found === undefined ? undefined : await trackedFiles(found.gitDir)
  const options = {
    top: found?.top ?? cwd,
    folder: cwd,
    excluded: found === undefined ? PLAIN_IGNORED : [],
    objects: openObjects(folder),
  }
  let known = await treeState({ ...options, signal, known: tracked ?? new Map<string, IndexEntry>() })
  const look = async () => {
    known = await treeState({ ...options, known })
    return known
  }
  return { folder, state: known, look }
}

/** Names of another kind than ours mean nothing beside ours. */
async function trackedFiles(gitDir: string): Promise<ReadonlyMap<string, IndexEntry> | undefined> {
  const config = await readFile(join(await commonDir(gitDir), 'config'), 'utf8').catch(() => '')
  return /objectformat\s*=\s*sha256/i.test(config) ? undefined : readIndex(join(gitDir, 'index'))
}

function picked(state: TreeState, paths: ReadonlySet<string>): TreeState {
  return new Map([...state].filter(([path]) => paths.has(path)))
}

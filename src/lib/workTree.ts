import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../contracts/errors.ts'
import type { FileChange } from '../contracts/events.ts'
import { findRepository, gitEnvironment, makeOwnGitDir, type Repository, type RunGit, readHead } from './ownGit.ts'
import { PLAIN_IGNORED, plainTreeProblem } from './plainTreeProblem.ts'

export type { RunGit } from './ownGit.ts'

const MOST_PATCH_BYTES = 50_000_000

/** What changed since the start, or why that is not known. */
export type WorkTreeDiff = {
  readonly patch: string | null
  readonly changes: readonly FileChange[]
  readonly note: string | null
}

/** A work tree whose state can be kept and compared. */
export interface WorkTree {
  /** The commit that is checked out; null outside git or before the first commit. */
  readonly commit: string | null
  /** Keeps the state of all files that git does not ignore. Called before anything is changed; the first call counts. */
  snapshot(signal?: AbortSignal): Promise<void>
  /** Applies a patch to the files, whole or not at all, after the state of before was kept. What is wrong with it, or null. */
  apply(patch: string): Promise<string | null>
  /** Keeps the state that was before a patch which the files hold already; false where they do not hold it. */
  rewind(patch: string): Promise<boolean>
  /** `git diff` from the kept state to now, new files included. */
  diff(): Promise<WorkTreeDiff>
  /** Removes what the comparison needed. */
  close(): Promise<void>
}

/**
 * The work tree at `cwd`. States are kept in a git directory of our own whose only link to the repository is its object
 * store: the repository's configuration, hooks and filters are not read, and nothing is written to it. A folder outside of
 * git is kept there as well, unless it is large.
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
      if (refusal !== undefined) {
        problem = refusal
        return
      }
      own = await keepTree(folder, { found, cwd, runGit }, signal)
      if (own === undefined && signal?.aborted !== true)
        problem = 'git could not read the work tree: no patch can be made'
    } catch (error) {
      problem = `the state of before could not be kept, no patch can be made: ${messageOf(error)}`
    }
  }
  const compareNow = async (): Promise<WorkTreeDiff> => {
    if (own === undefined) return { patch: null, changes: [], note: problem }
    const now = await own.keep()
    if (now === undefined)
      return { patch: null, changes: [], note: 'git could not read the work tree: no patch can be made' }
    return compare(own.folder, [own.tree, now], runGit)
  }
  /** One comparison after the other: two at once would take each other's index. */
  let last: Promise<unknown> = Promise.resolve()
  return {
    commit: gitDir === undefined ? null : await readHead(gitDir),
    snapshot,
    async apply(patch) {
      await snapshot()
      if (own === undefined) return problem
      const done = await own.git('apply', ...APPLY, await patchFile(own, patch))
      return done === undefined ? 'the recorded patch does not fit the files' : null
    },
    async rewind(patch) {
      await snapshot()
      if (own === undefined) return false
      const done = await own.git('apply', '--cached', '-R', ...APPLY, await patchFile(own, patch))
      const tree = done === undefined ? undefined : (await own.git('write-tree'))?.trim()
      if (tree !== undefined) own = { ...own, tree }
      return tree !== undefined
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

const APPLY = ['--binary', '--whitespace=nowarn']

/** A git directory of our own, the tree of the kept state in it, and a way to make the tree of now. */
type Kept = {
  readonly folder: string
  readonly tree: string
  keep(): Promise<string | undefined>
  git(...args: readonly string[]): Promise<string | undefined>
}

type Source = { readonly found: Repository | undefined; readonly cwd: string; readonly runGit: RunGit }

async function keepTree(
  folder: string,
  { found, cwd, runGit }: Source,
  signal: AbortSignal | undefined,
): Promise<Kept | undefined> {
  await makeOwnGitDir(folder, found?.gitDir)
  if (found === undefined) await writeFile(join(folder, 'info', 'exclude'), PLAIN_IGNORED.join('\n'))
  const environment = gitEnvironment(folder, found?.top ?? cwd)
  const keep = async () => {
    // Of a git that was killed: with it, the tree would be that of before.
    await rm(join(folder, 'index.lock'), { force: true })
    return writeTree(cwd, (args) => runGit(args, environment))
  }
  const tree = await writeTree(cwd, (args) => runGit(args, environment, signal))
  return tree === undefined ? undefined : { folder, tree, keep, git: (...args) => runGit(args, environment) }
}

async function patchFile({ folder }: Kept, patch: string): Promise<string> {
  const file = join(folder, 'patch')
  await writeFile(file, patch)
  return file
}

/** The tree of all files below `cwd` that are not ignored; one unreadable file does not spoil the rest. */
async function writeTree(
  cwd: string,
  git: (args: readonly string[]) => Promise<string | undefined>,
): Promise<string | undefined> {
  const places = ['--', cwd]
  if ((await git(['add', '-A', ...places])) === undefined) await git(['add', '-A', '--ignore-errors', ...places])
  return (await git(['write-tree']))?.trim()
}

async function compare(folder: string, states: readonly [string, string], runGit: RunGit): Promise<WorkTreeDiff> {
  const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames']
  const output = join(folder, 'diff')
  const diff = async (...format: readonly string[]): Promise<string | undefined> => {
    const done = await runGit(
      ['diff', `--output=${output}`, ...format, ...options, ...states],
      gitEnvironment(folder, folder),
    )
    if (done === undefined || (await stat(output)).size > MOST_PATCH_BYTES) return undefined
    return readFile(output, 'utf8')
  }
  const patch = await diff('--binary')
  const counts = await diff('--numstat', '-z')
  const names = await diff('--name-status', '-z')
  const changes = counts === undefined || names === undefined ? [] : readChanges(counts, names)
  if (patch === undefined)
    return {
      patch: null,
      changes,
      note: 'git could not compare the work tree with its start, or the patch is larger than 50 MB',
    }
  return { patch, changes, note: patch === '' ? 'no file was changed' : null }
}

function readChanges(counts: string, states: string): FileChange[] {
  const words = states.split('\0')
  const byPath = new Map<string, string>()
  for (let i = 0; i + 1 < words.length; i += 2) byPath.set(words[i + 1] ?? '', words[i] ?? '')
  return counts
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [added = '0', removed = '0', ...path] = line.split('\t')
      const name = path.join('\t')
      return {
        path: name,
        status: statusOf(byPath.get(name)),
        added: Number(added) || 0,
        removed: Number(removed) || 0,
      }
    })
}

function statusOf(letter: string | undefined): FileChange['status'] {
  return letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified'
}

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileChange } from '../../contracts/events.ts'
import { nameFromDisk, nameOfBytes } from '../../lib/fs/diskPath.ts'
import { listTree, readEntry } from '../../lib/fs/listTree.ts'
import { orElse } from '../../lib/orElse.ts'
import { findRepository, gitEnvironment, type RunGit, readHead } from '../own/ownGit.ts'
import { type GitObjects, openObjects, type TreeEntry } from '../repository/gitObjects.ts'

const MAX_PATCH_BYTES = 50_000_000
const NOTHING_CHANGED = 'no file was changed'

/** What changed between two states, or why that is not known. */
export type WorkTreeDiff = {
  readonly patch: string | null
  readonly changes: readonly FileChange[]
  readonly note: string | null
}

export type TwoStates = readonly [before: TreeState, now: TreeState]

/** Patch and changes between two states whose contents are in `gitDir`. Throws if git cannot tell the changes. */
export async function compareStates(gitDir: string, states: TwoStates, runGit: RunGit): Promise<WorkTreeDiff> {
  if (differing(states).every(({ size }) => size === 0)) return { patch: '', changes: [], note: NOTHING_CHANGED }
  const diff = openDiff(gitDir, states, runGit)
  const both = await diff('--numstat', '-z', '--patch', '--binary')
  const counts = both ?? (await diff('--numstat', '-z'))
  if (counts === undefined) throw new Error('git could not compare the work tree with its start')
  const changes = readCounts(counts.toString('latin1', 0, endOfCounts(counts)), states)
  if (both === undefined) {
    return { patch: null, changes, note: 'git could not write the patch, or it is larger than 50 MB' }
  }
  const patch = both.subarray(endOfCounts(both)).toString('utf8')
  return { patch, changes, note: patch === '' ? NOTHING_CHANGED : null }
}

/** With `-z`, an empty text ends the counts, and the patch follows. */
function endOfCounts(output: Buffer): number {
  const end = output.indexOf('\0\0')
  return end === -1 ? output.length : end + 2
}

/** Runs `git diff` on two states; undefined if it fails or takes too long. Git only gets what differs. */
export function openDiff(gitDir: string, states: TwoStates, runGit: RunGit) {
  const { putTree } = openObjects(gitDir)
  const trees = differing(states).map(putTree)
  const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames']
  const output = join(gitDir, 'diff')
  return async (...format: readonly string[]): Promise<Buffer | undefined> => {
    const args = ['diff', `--output=${output}`, ...format, ...options, ...trees]
    const done = await runGit(args, gitEnvironment(gitDir))
    if (done === undefined || (await stat(output)).size > MAX_PATCH_BYTES) return undefined
    return readFile(output)
  }
}

function differing([before, now]: TwoStates): readonly TreeState[] {
  return [without(before, now), without(now, before)]
}

function without(state: TreeState, other: TreeState): TreeState {
  const isSame = (path: string) => {
    const [one, two] = [state.get(path), other.get(path)]
    return one?.oid === two?.oid && one?.mode === two?.mode
  }
  return new Map([...state].filter(([path]) => !isSame(path)))
}

function readCounts(counts: string, [before, now]: TwoStates): FileChange[] {
  return counts
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [added = '0', removed = '0', ...words] = line.split('\t')
      const name = Buffer.from(words.join('\t'), 'latin1')
      const path = nameFromDisk(name)
      const status = !before.has(path) ? 'added' : now.has(path) ? 'modified' : 'deleted'
      return { path: nameOfBytes(name), status, added: Number(added) || 0, removed: Number(removed) || 0 }
    })
}

/** The state of each path; content that is not known already is in the objects. */
export type TreeState = ReadonlyMap<string, TreeEntry>

/** The state of all files below a folder that git does not ignore. `known`: what git's index says about each path. */
export async function treeState(
  top: string,
  known: TreeState,
  { putBlob }: Pick<GitObjects, 'putBlob'>,
): Promise<TreeState> {
  const state = new Map<string, TreeEntry>()
  const store = (path: string): TreeEntry | undefined => {
    const found = readEntry(path)
    return found && { mode: found.mode, oid: putBlob(found.content) }
  }
  for await (const [name, stat] of listTree(top, new Set(known.keys()))) {
    const path = join(top, name)
    const before = known.get(name)
    // Unreadable, or gone in the meantime: one file does not spoil the rest.
    const entry = stat.isDirectory() ? submodule(path, before) : orElse(before, () => store(path))
    if (entry !== undefined) state.set(name, entry)
  }
  return state
}

/** A submodule that is not checked out keeps the commit in the index. */
function submodule(path: string, known: TreeEntry | undefined): TreeEntry | undefined {
  if (known?.mode !== '160000') return undefined
  const repository = findRepository(path)
  const head = repository?.top === path ? readHead(repository.gitDir) : null
  return head?.length === 40 ? { ...known, oid: head } : known
}

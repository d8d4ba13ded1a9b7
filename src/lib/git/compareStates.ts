import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileChange } from '../../contracts/events.ts'
import { openObjects } from './gitObjects.ts'
import { gitEnvironment, type RunGit } from './ownGit.ts'
import type { TreeState } from './treeState.ts'

const MAX_PATCH_BYTES = 50_000_000
const NOTHING_CHANGED = 'no file was changed'

/** What changed between two states, or why that is not known. */
export type WorkTreeDiff = {
  readonly patch: string | null
  readonly changes: readonly FileChange[]
  readonly note: string | null
}

export type TwoStates = readonly [before: TreeState, now: TreeState]

/**
 * The patch and the changes between two states, in a git directory of our own that has their contents. Throws if git
 * cannot tell the changes.
 */
export async function compareStates(gitDir: string, states: TwoStates, runGit: RunGit): Promise<WorkTreeDiff> {
  if (differing(states).every(({ size }) => size === 0)) return { patch: '', changes: [], note: NOTHING_CHANGED }
  const diff = openDiff(gitDir, states, runGit)
  const patch = await diff('--binary')
  const counts = await diff('--numstat', '-z')
  const names = await diff('--name-status', '-z')
  if (counts === undefined || names === undefined) throw new Error('git could not compare the work tree with its start')
  const changes = readChanges(counts.toString('utf8'), names.toString('utf8'))
  if (patch === undefined) {
    const note = 'git could not write the patch, or it is larger than 50 MB'
    return { patch: null, changes, note }
  }
  return { patch: patch.toString('utf8'), changes, note: patch.length === 0 ? NOTHING_CHANGED : null }
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

import { basename, dirname, join } from 'node:path'
import type { CommandAccess } from '../contracts/commands.ts'

/** Runs a program in a folder; `text` is stdout, or the error. */
export type ProgramRunner = (
  file: string,
  args: readonly string[],
  cwd: string,
) => Promise<{ readonly ok: boolean; readonly text: string }>

/** Holds the run's worktrees, inside the project so that its sandbox and its rules hold there too; git ignores it. */
export const WORKTREES = '.kode-worktrees'

const TIMEOUT_MS = 120_000

/** Nothing of the repository is run by what is done here: no hooks, no file-system monitor. */
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit']
const DIFF = ['diff', '--cached', '--no-ext-diff', '--no-textconv']

/** Programs as children of the run, in its sandbox. */
export function programRunner({ run }: Pick<CommandAccess, 'run'>, signal: AbortSignal): ProgramRunner {
  return async (file, args, cwd) => {
    const { exitCode, stdout, stderr, startError } = await run({ file, args, cwd, signal, timeoutMs: TIMEOUT_MS })
    return { ok: exitCode === 0, text: exitCode === 0 ? stdout.text : (startError ?? stderr.text) }
  }
}

/** The project root that a worktree of ours belongs to; undefined for any other folder. */
export function worktreeRoot(cwd: string): string | undefined {
  return basename(dirname(cwd)) === WORKTREES ? dirname(dirname(cwd)) : undefined
}

/**
 * A new worktree at the last commit, without a branch; returns its path. What is not committed stays behind. It is locked
 * in the name of `owner`, so that it is known again and that nobody else's `git worktree prune` takes it away.
 */
export async function addWorktree(
  place: { root: string; name: string; owner: string },
  run: ProgramRunner,
): Promise<string> {
  const { root, name, owner } = place
  const inside = await must(run('git', [...QUIET, 'rev-parse', '--show-prefix'], root))
  if (inside.trim() !== '') throw new Error(`${root} is not the top folder of its git repository.`)
  const path = join(root, WORKTREES, name)
  await must(run('git', [...QUIET, 'worktree', 'add', '--detach', '--lock', '--reason', owner, path, 'HEAD'], root))
  return path
}

/** True where `worktree` was added in the name of `owner`. */
export async function isWorktreeOf(worktree: string, owner: string, run: ProgramRunner): Promise<boolean> {
  const { text } = await run('git', [...QUIET, 'worktree', 'list', '--porcelain'], worktree)
  const entries = text.split('\n\n').map((entry) => entry.split('\n'))
  return entries.some((lines) => lines.includes(`worktree ${worktree}`) && lines.includes(`locked ${owner}`))
}

/**
 * Writes what differs between the worktree and the commit that the project is at, new files and commits included, as a
 * patch in the worktree's top folder. Returns its path, or undefined where nothing differs.
 */
export async function writeWorktreePatch(worktree: string, run: ProgramRunner): Promise<string | undefined> {
  const root = worktreeRoot(worktree) ?? worktree
  const start = (await must(run('git', [...QUIET, 'rev-parse', 'HEAD'], root))).trim()
  await must(run('git', [...QUIET, 'add', '--all'], worktree))
  const { ok: isSame } = await run('git', [...QUIET, ...DIFF, '--quiet', start], worktree)
  if (isSame) return undefined
  const patch = join(worktree, `.kode-${basename(worktree)}.patch`)
  await must(run('git', [...QUIET, ...DIFF, '--binary', `--output=${patch}`, start], worktree))
  return patch
}

/** Removes a worktree with all that is in it, git's knowledge of it, and the folder of worktrees with its last one. */
export async function removeWorktree(worktree: string, run: ProgramRunner): Promise<void> {
  const root = worktreeRoot(worktree) ?? worktree
  await must(run('git', [...QUIET, 'worktree', 'remove', '--force', '--force', worktree], root))
  await must(run('git', [...QUIET, 'worktree', 'prune'], root))
  await removeWorktreesFolder(root, run)
}

/** Removes the folder of worktrees where nothing is left in it but the file that hides it from git. */
export async function removeWorktreesFolder(root: string, run: ProgramRunner): Promise<void> {
  const folder = join(root, WORKTREES)
  const { text } = await run('ls', ['-A', '--', folder], root)
  if (text.trim() !== '.gitignore') return
  await must(run('rm', ['-f', '--', join(folder, '.gitignore')], root))
  await must(run('rmdir', ['--', folder], root))
}

async function must(done: ReturnType<ProgramRunner>): Promise<string> {
  const { ok, text } = await done
  if (!ok) throw new Error(text.trim() || 'git failed without a word')
  return text
}

import { release } from 'node:os'
import { relative } from 'node:path'
import { findRepository, readBranch } from '../../git/own/ownGit.ts'
import { type DirtyFiles, type DirtyOptions, dirtyFiles } from '../../git/states/dirtyFiles.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { firstOf } from '../../lib/text/words.ts'

type Place = {
  readonly cwd: string
  readonly commit: string | null
  readonly date: Date
  /** True if commands see only a folder of the repository. */
  readonly isPart: boolean
}

const MAX_NAMES = 10

/** Place and time of the run. Not in the system prompt, which is the same for every run and cached. Never throws. */
export async function describeEnvironment(
  { cwd, commit, date, isPart }: Place,
  how: Pick<DirtyOptions, 'runGit' | 'except'>,
): Promise<string> {
  const repository = findRepository(cwd)
  const lines = [
    `Date: ${date.toISOString().slice(0, 10)} (UTC)`,
    `System: ${process.platform} ${release()}; commands run in bash`,
    `Git: ${repository === undefined ? 'this is not a git repository' : headOf(readBranch(repository.gitDir), commit)}`,
    ...(repository === undefined ? [] : dirtyLines(await dirtyFiles({ ...repository, ...how, commit }))),
    ...(isPart ? [PART] : []),
  ]
  return `<environment>\n${lines.join('\n')}\n</environment>`
}

const PART = 'Commands see only this folder of the repository, so git lists the rest as deleted. Leave that as it is.'

function headOf(branch: string, commit: string | null): string {
  if (commit === null) return `branch ${branch}, no commit yet`
  return `${branch === 'HEAD' ? 'no branch (detached HEAD)' : `branch ${branch}`}, commit ${commit}`
}

function dirtyLines({ staged, unstaged, untracked }: DirtyFiles): string[] {
  const kinds = [
    ['Staged', staged],
    ['Changed, not staged', unstaged],
    ['Untracked', untracked],
  ] as const
  if (kinds.every(([, names]) => names?.length === 0)) return ['Work tree: clean']
  return kinds.flatMap(([kind, names]) => (names === undefined ? [] : [`${kind}: ${listOf(names)}`]))
}

function listOf(names: readonly string[]): string {
  return firstOf(names, MAX_NAMES, (left) => `and ${left} more`).join(', ') || 'none'
}

/** A warning if commands in the sandbox see only a part of the repository, and what would show them the rest. */
export function partWarning(cwd: string, top: string, shown: readonly string[]): string | undefined {
  if (shown.some((folder) => isWithin(top, folder))) return undefined
  const above = relative(cwd, top)
  return `Add --add-dir ${above} to show commands the whole repository ${top}: they see only this folder, no node_modules above it, and git lists the rest as deleted.`
}

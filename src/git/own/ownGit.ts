import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { cp, lstat, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { CommandRequest, CommandResult } from '../../contracts/commands.ts'
import { ownedFolder } from '../../lib/fs/ownedFolder.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { orElse } from '../../lib/orElse.ts'
import { runCommand } from '../../lib/process/runCommand.ts'
import { createRefLookup } from '../repository/readRefs.ts'

/**
 * Runs git in a directory of our own (`GIT_DIR`) with these arguments, this environment and stdin. Returns its output,
 * or undefined if it failed or was ended. It never runs in the checkout, so the repository's configuration and content
 * start nothing.
 */
export type RunGit = (
  args: readonly string[],
  environment: GitEnvironment,
  signal?: AbortSignal,
  input?: string,
) => Promise<string | undefined>

/** The result of `gitEnvironment`, and additions to it. */
export type GitEnvironment = Readonly<Record<string, string>> & { readonly GIT_DIR: string }

export type Repository = { readonly gitDir: string; readonly top: string }

/** The repository that contains `cwd`; worktrees and submodules have a file that names their git directory. */
export function findRepository(cwd: string): Repository | undefined {
  const dotGit = join(cwd, '.git')
  const found = orElse(undefined, () => statSync(dotGit))
  // Like git, ignores an empty folder of that name.
  if (found?.isDirectory() && existsSync(join(dotGit, 'HEAD'))) return { gitDir: dotGit, top: cwd }
  if (found?.isFile()) {
    const named = /^gitdir: (.+)$/m.exec(readText(dotGit) ?? '')?.[1]
    return named === undefined ? undefined : { gitDir: resolve(cwd, named.trim()), top: cwd }
  }
  return dirname(cwd) === cwd ? undefined : findRepository(dirname(cwd))
}

/** The directory of objects and refs: a worktree's own directory names it in `commondir`. */
export function commonDir(gitDir: string): string {
  const named = readText(join(gitDir, 'commondir'))
  if (named === undefined) return gitDir
  return isAbsolute(named.trim()) ? named.trim() : join(gitDir, named.trim())
}

/** The commit that is checked out. */
export function readHead(gitDir: string): string | null {
  return createRefLookup({ gitDir, commonDir: commonDir(gitDir) }, readText).lookUp('HEAD') ?? null
}

/** The name of the branch that is checked out; `HEAD` if there is none. */
export function readBranch(gitDir: string): string {
  return /^ref: refs\/heads\/(\S+)$/.exec((readText(join(gitDir, 'HEAD')) ?? '').trim())?.[1] ?? 'HEAD'
}

/** A git directory with these settings, and with the objects of a repository if there is one. */
export function makeOwnGitDir(folder: string, objects: string | undefined, config = CONFIG): void {
  for (const name of ['objects/info', 'refs', 'info', 'none'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n')
  writeFileSync(join(folder, 'config'), config)
  if (objects !== undefined) writeFileSync(join(folder, 'objects/info/alternates'), `${objects}\n`)
}

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tautocrlf = false\n'

/** Copies refs, so that git can resolve names: branches, tags, `HEAD~2`. */
export async function copyRefs(folder: string, gitDir: string): Promise<void> {
  const common = commonDir(gitDir)
  await cp(join(common, 'refs'), join(folder, 'refs'), { recursive: true, filter: isPlain }).catch(() => undefined)
  await copyRegular(join(common, 'packed-refs'), join(folder, 'packed-refs'))
  await copyRegular(join(gitDir, 'HEAD'), join(folder, 'HEAD'))
}

async function copyRegular(from: string, to: string): Promise<void> {
  const bytes = readRegular(from)
  if (bytes !== undefined) await writeFile(to, bytes)
}

function readText(path: string): string | undefined {
  return readRegular(path)?.toString('utf8')
}

async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path)
  return found.isDirectory() || found.isFile()
}

/** Only our own git directory and its configuration count. Without `files`, the work tree is an empty folder. */
export function gitEnvironment(folder: string, files = join(folder, 'none')): GitEnvironment {
  return {
    GIT_DIR: folder,
    GIT_WORK_TREE: files,
    GIT_INDEX_FILE: join(folder, 'index'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

/** Runs an action with a git directory of our own, which is removed afterwards. */
export async function inOwnGitDir<Result>(
  repository: string | undefined,
  use: (gitDir: string) => Promise<Result>,
): Promise<Result> {
  const gitDir = ownedFolder(tmpdir(), 'kode-run-git-')
  try {
    makeOwnGitDir(gitDir, repository && join(commonDir(repository), 'objects'))
    return await use(gitDir)
  } finally {
    await rm(gitDir, { recursive: true, force: true })
  }
}

const TIMEOUT_MS = 120_000

/** As a child that sees a search path and the caller's variables, and nothing else of this process. */
export function createGitRunner(path: string): RunGit {
  return gitBy((request) => runCommand({ ...request, env: { PATH: path, ...request.env } }))
}

/** The same, started by `run`. */
export function gitBy(run: (request: CommandRequest) => Promise<CommandResult>): RunGit {
  const never = new AbortController().signal
  return async (args, env, signal = never, input) => {
    const own = { file: 'git', args, cwd: env.GIT_DIR, timeoutMs: TIMEOUT_MS, signal, env }
    const { exitCode, stdout } = await run({ ...own, ...(input !== undefined && { input }) })
    return exitCode === 0 && !stdout.isTruncated ? stdout.text : undefined
  }
}

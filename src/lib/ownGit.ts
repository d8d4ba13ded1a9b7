import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** Runs git with these arguments and environment in the work tree; its output, or undefined when it failed or was ended. */
export type RunGit = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) => Promise<string | undefined>

export type Repository = { readonly gitDir: string; readonly top: string }

/** The repository that `cwd` lies in; worktrees and submodules have a file that names their git directory. */
export async function findRepository(cwd: string): Promise<Repository | undefined> {
  const dotGit = join(cwd, '.git')
  const found = await stat(dotGit).catch(() => undefined)
  if (found?.isDirectory() && (await isRepository(dotGit))) return { gitDir: dotGit, top: cwd }
  if (found?.isFile()) {
    const named = /^gitdir: (.+)$/m.exec(await readFile(dotGit, 'utf8'))?.[1]
    return named === undefined ? undefined : { gitDir: resolve(cwd, named.trim()), top: cwd }
  }
  return dirname(cwd) === cwd ? undefined : findRepository(dirname(cwd))
}

/** As for git, an empty folder of that name is none. */
async function isRepository(gitDir: string): Promise<boolean> {
  return (await stat(join(gitDir, 'HEAD')).catch(() => undefined)) !== undefined
}

/** The directory that holds objects and refs: a worktree's own one names it in `commondir`. */
export async function commonDir(gitDir: string): Promise<string> {
  const named = await readFile(join(gitDir, 'commondir'), 'utf8').catch(() => undefined)
  if (named === undefined) return gitDir
  return isAbsolute(named.trim()) ? named.trim() : join(gitDir, named.trim())
}

export async function readHead(gitDir: string): Promise<string | null> {
  const head = (await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '')).trim()
  if (/^[0-9a-f]{40,64}$/.test(head)) return head
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1]
  if (ref === undefined || ref.includes('..')) return null
  const common = await commonDir(gitDir)
  const loose = (await readFile(join(common, ref), 'utf8').catch(() => '')).trim()
  if (loose !== '') return loose
  const packed = await readFile(join(common, 'packed-refs'), 'utf8').catch(() => '')
  const line = packed.split('\n').find((entry) => entry.endsWith(` ${ref}`))
  return line?.split(' ')[0] ?? null
}

/** A git directory with the repository's objects behind it, if there is one, and its index as a cache of what is unchanged. */
export async function makeOwnGitDir(folder: string, gitDir: string | undefined): Promise<void> {
  await mkdir(join(folder, 'objects', 'info'), { recursive: true })
  for (const name of ['refs', 'info']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n')
  await writeFile(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tautocrlf = false\n')
  if (gitDir === undefined) return
  const objects = join(await commonDir(gitDir), 'objects')
  await writeFile(join(folder, 'objects', 'info', 'alternates'), `${objects}\n`)
  await copyFile(join(gitDir, 'index'), join(folder, 'index')).catch(() => undefined)
}

/** Only our own git directory counts; no configuration but its own is read. */
export function gitEnvironment(folder: string, top: string): Record<string, string> {
  return {
    GIT_DIR: folder,
    GIT_WORK_TREE: top,
    GIT_INDEX_FILE: join(folder, 'index'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { RunError } from '../../contracts/errors.ts'
import { ownedFolder } from '../../lib/fs/ownedFolder.ts'
import {
  commonDir,
  copyRefs,
  findRepository,
  gitEnvironment,
  makeOwnGitDir,
  type Repository,
  type RunGit,
} from './ownGit.ts'

/** The files of a commit, in a separate folder. */
export type Snapshot = Awaited<ReturnType<typeof openSnapshot>>

export type SnapshotOptions = {
  readonly cwd: string
  /** A commit, or the name of a ref. */
  readonly ref: string
  readonly runGit: RunGit
  /** Where to get a commit that the checkout does not have, and the token for it. */
  readonly remote?: { readonly url: string; readonly token: string | undefined } | undefined
}

/**
 * Writes the files of a commit from git's objects, never from the checkout. Hooks, filters and settings of the
 * repository have no effect. Throws `config` if the commit cannot be read: there is no fallback.
 */
export async function openSnapshot({ cwd, ref, runGit, remote }: SnapshotOptions) {
  const repository = findRepository(cwd)
  if (repository === undefined) throw unreadable(ref, `${cwd} is not in a git repository`)
  const folder = ownedFolder(tmpdir(), 'kode-run-base-')
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    const files = join(folder, 'files')
    await mkdir(files)
    makeOwnGitDir(join(folder, 'git'), join(commonDir(repository.gitDir), 'objects'))
    const git: OwnGit = (args, environment = {}) =>
      runGit(args, { ...gitEnvironment(join(folder, 'git'), files), ...environment })
    const commit = /^[0-9a-f]{40,64}$/.test(ref) ? ref : await resolveRef(repository, ref, join(folder, 'git'), git)
    if (!(await hasFiles(git, commit))) {
      // A shallow clone has no complete history, and git fetches nothing into it.
      await rm(join(folder, 'git', 'objects', 'info', 'alternates'))
      await fetchCommit(git, commit, remote)
    }
    if ((await git(['checkout-index', '--all', `--prefix=${files}/`])) === undefined) {
      throw unreadable(ref, 'not all of its files are there')
    }
    return {
      commit,
      /** The commit's counterpart of `cwd`. */
      root: join(files, relative(repository.top, cwd)),
      /** The top folder of the repository that contains `cwd`. */
      top: repository.top,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type OwnGit = (args: readonly string[], environment?: Readonly<Record<string, string>>) => ReturnType<RunGit>

async function hasFiles(git: OwnGit, commit: string): Promise<boolean> {
  return (await git(['read-tree', '--end-of-options', commit])) !== undefined
}

/** Names are looked up in a copy of the repository's refs: its own configuration is not read. */
async function resolveRef({ gitDir }: Repository, ref: string, folder: string, git: OwnGit): Promise<string> {
  await copyRefs(folder, gitDir)
  const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  if (found === undefined) throw unreadable(ref, 'git does not know this commit')
  return found.trim()
}

/** A shallow checkout lacks its base. The token is in the environment: everyone can read arguments. */
async function fetchCommit(git: OwnGit, commit: string, remote: SnapshotOptions['remote']): Promise<void> {
  if (remote === undefined) throw unreadable(commit, 'it is not in this clone')
  const { url, token } = remote
  const header = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
  const settings =
    token === undefined
      ? {}
      : {
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraheader`,
          GIT_CONFIG_VALUE_0: header,
        }
  const args = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-write-fetch-head', '--end-of-options', url, commit]
  await git(args, settings)
  if (!(await hasFiles(git, commit)))
    throw unreadable(commit, `it is not in this clone, and ${url} does not provide it`)
}

function unreadable(ref: string, detail: string): RunError {
  return new RunError(
    'config',
    `The configuration at ${JSON.stringify(ref)} cannot be read: ${detail}. Check out with its history (\`fetch-depth: 0\`).`,
  )
}

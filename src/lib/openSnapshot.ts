import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { RunError } from '../contracts/errors.ts'
import { copyRefs, findRepository, gitEnvironment, makeOwnGitDir, type Repository, type RunGit } from './ownGit.ts'

/** The files of a commit, in a folder of their own. */
export type Snapshot = {
  readonly commit: string
  /** What the commit has at the place of `cwd`. */
  readonly root: string
  /** The top folder of the repository that `cwd` lies in. */
  readonly top: string
  close(): Promise<void>
}

export type SnapshotOptions = {
  readonly cwd: string
  /** A commit, or the name of a ref. */
  readonly ref: string
  readonly runGit: RunGit
  /** Where a commit can be had that the checkout does not hold, and the token that opens it. */
  readonly remote?: { readonly url: string; readonly token: string | undefined } | undefined
}

/**
 * Writes the files of a commit from git's objects, never from the checkout; no hook, filter or setting of the repository
 * takes part. Throws `config` where the commit cannot be read: then nothing stands in for it.
 */
export async function openSnapshot({ cwd, ref, runGit, remote }: SnapshotOptions): Promise<Snapshot> {
  const repository = await findRepository(cwd)
  if (repository === undefined) throw unreadable(ref, `${cwd} is not in a git repository`)
  const folder = await mkdtemp(join(tmpdir(), 'kode-run-base-'))
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    const files = join(folder, 'files')
    await mkdir(files)
    await mkdir(join(folder, 'git'))
    await makeOwnGitDir(join(folder, 'git'), repository.gitDir)
    const git: OwnGit = (args, environment = {}) =>
      runGit(args, { ...gitEnvironment(join(folder, 'git'), files), ...environment })
    const commit = /^[0-9a-f]{40,64}$/.test(ref) ? ref : await resolveRef(repository, ref, join(folder, 'git'), git)
    if (!(await hasFiles(git, commit))) {
      // What a shallow clone holds has no beginning, and git fetches nothing beside that.
      await rm(join(folder, 'git', 'objects', 'info', 'alternates'))
      await fetchCommit(git, commit, remote)
    }
    if ((await git(['checkout-index', '--all', `--prefix=${files}/`])) === undefined) {
      throw unreadable(ref, 'not all of its files are there')
    }
    return { commit, root: join(files, relative(repository.top, cwd)), top: repository.top, close }
  } catch (error) {
    await close()
    throw error
  }
}

type OwnGit = (args: readonly string[], environment?: Readonly<Record<string, string>>) => ReturnType<RunGit>

async function hasFiles(git: OwnGit, commit: string): Promise<boolean> {
  return (await git(['read-tree', '--end-of-options', commit])) !== undefined
}

/** Names are looked up among copies of the repository's: its own configuration is not read. */
async function resolveRef({ gitDir }: Repository, ref: string, folder: string, git: OwnGit): Promise<string> {
  await copyRefs(folder, gitDir)
  const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  if (found === undefined) throw unreadable(ref, 'git knows no such commit')
  return found.trim()
}

/** A shallow checkout does not hold its base. The token goes by the environment: arguments can be read by everyone. */
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
  if (!(await hasFiles(git, commit))) throw unreadable(commit, `it is not in this clone, and ${url} does not give it`)
}

function unreadable(ref: string, detail: string): RunError {
  return new RunError(
    'config',
    `The configuration at ${JSON.stringify(ref)} cannot be read: ${detail}. Check out with its history (\`fetch-depth: 0\`).`,
  )
}

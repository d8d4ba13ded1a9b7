import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { namesIn } from '../../lib/fs/folders.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { orElse } from '../../lib/orElse.ts'
import { moduleFolders } from '../repository/findRepositories.ts'

/** Points git to another folder for configuration and hooks. */
const COMMON_FOLDER = 'commondir'

export type GitPlaces = {
  /** The repository's folder if it is not below the workspace, as for a worktree: commits go there. */
  readonly folder: string | undefined
  /** What git runs, or what points git to it. A `/` at the end: a folder. */
  readonly protect: readonly string[]
  /** Configurations, which may hold a token. */
  readonly configs: readonly string[]
}

/** Where a workspace's git repository keeps what must not be written; gitrepository-layout(5). */
export function gitPlaces(workspace: string): GitPlaces {
  const git = join(workspace, '.git')
  const stat = lstatSync(git, { throwIfNoEntry: false })
  if (stat === undefined) return placesAbove(workspace)
  if (stat.isDirectory()) return { folder: undefined, ...placesBelow(git) }
  const folder = stat.isFile() ? commonFolder(git) : undefined
  if (folder === undefined) {
    const inside = stat.isFile() ? separateFolder(git, workspace) : undefined
    const { protect, configs } = inside === undefined ? { protect: [], configs: [] } : placesBelow(inside)
    return { folder, protect: [git, ...protect], configs: [join(git, 'config'), ...configs] }
  }
  const places = placesBelow(folder)
  return { folder, protect: [git, ...places.protect], configs: places.configs }
}

/** A workspace may be part of a repository, which gets its commits. None may be created in it. */
function placesAbove(workspace: string): GitPlaces {
  const own = `${join(workspace, '.git')}/`
  const top = repositoryAbove(dirname(workspace))
  if (top === undefined) return { folder: undefined, protect: [own], configs: [] }
  const { folder, protect, configs } = gitPlaces(top)
  const git = join(top, '.git')
  return { folder: folder ?? (existsSync(join(git, 'HEAD')) ? git : undefined), protect: [own, ...protect], configs }
}

/** The nearest folder of a repository, from this one upward. */
export function repositoryAbove(folder: string): string | undefined {
  const git = join(folder, '.git')
  if (existsSync(join(git, 'HEAD')) || lstatSync(git, { throwIfNoEntry: false })?.isFile() === true) return folder
  return dirname(folder) === folder ? undefined : repositoryAbove(dirname(folder))
}

/** Where the work tree with this top folder keeps its index; undefined if there is none. */
export function gitFolderOf(top: string): string | undefined {
  const git = join(top, '.git')
  return orElse(undefined, () => {
    if (lstatSync(git).isDirectory()) return git
    return realpathSync(namedBy(git))
  })
}

function placesBelow(git: string): Pick<GitPlaces, 'protect' | 'configs'> {
  const modules = moduleFolders(join(git, 'modules'))
  const worktrees = namesIn(join(git, 'worktrees')).map((name) => join(git, 'worktrees', name, COMMON_FOLDER))
  const optional = [...[git, ...modules].map((folder) => join(folder, 'config.worktree')), ...worktrees]
  return {
    protect: [
      ...[git, ...modules].flatMap((folder) =>
        ['hooks/', 'info/', 'config', COMMON_FOLDER].map((name) => `${folder}/${name}`),
      ),
      ...optional.filter((path) => existsSync(path)),
    ],
    configs: [git, ...modules].map((folder) => join(folder, 'config')),
  }
}

/** The repository of a worktree, if it knows the worktree: anyone can write a `.git` file that names any folder. */
function commonFolder(gitFile: string): string | undefined {
  return orElse(undefined, () => {
    const own = namedBy(gitFile)
    if (realpathSync(read(join(own, 'gitdir'))) !== realpathSync(gitFile)) return undefined
    const common = realpathSync(resolve(own, read(join(own, 'commondir'))))
    return isRepository(common) ? common : undefined
  })
}

/** The repository of `git init --separate-git-dir`, if children could write it because it is in their workspace. */
function separateFolder(gitFile: string, workspace: string): string | undefined {
  return orElse(undefined, () => {
    const own = realpathSync(namedBy(gitFile))
    return isWithin(own, workspace) && isRepository(own) ? own : undefined
  })
}

/** The folder that a `.git` file names. */
function namedBy(gitFile: string): string {
  return resolve(gitFile, '..', read(gitFile).replace(/^gitdir: /, ''))
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects'))
}

function read(path: string): string {
  return readFileSync(path, 'utf8').trim()
}

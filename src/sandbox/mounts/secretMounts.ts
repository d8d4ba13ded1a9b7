import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gitFolderOf, repositoryAbove } from '../../git/places/gitPlaces.ts'
import { trackedPaths } from '../../git/repository/trackedFiles.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { Mount } from '../bubblewrapArguments.ts'
import { blankMount, closedMount } from './masks.ts'
import type { Survey } from './surveyWorkspaces.ts'

type SecretOptions = Pick<Survey, 'secrets' | 'repositories'> & {
  readonly workspaces: readonly string[]
  readonly scratch: string
}

/**
 * Hides secrets in the workspaces. What git does not track cannot be opened, and git does not see it. What git tracks
 * is blank, and git treats it as unchanged: a file that seems empty or missing would be in the next commit. The variables
 * make git aware of that.
 */
export function secretMounts({ workspaces, secrets, repositories, scratch }: SecretOptions) {
  const tops = [...repositories, ...workspaces.map((workspace) => repositoryAbove(workspace) ?? workspace)]
  const mounts: Mount[] = []
  const groups: HiddenInGit[] = []
  const all = [...new Set(secrets.flatMap((path) => placeOf(path, workspaces)))]
  for (const top of new Set(all.map((path) => innermost(tops, path)))) {
    const git = gitFolderOf(top)
    const names = trackedPaths(git)
    const isTracked = (path: string) => names.has(relative(top, path))
    const paths = all
      .filter((path) => innermost(tops, path) === top)
      .flatMap((path) => (names.size === 0 ? [path] : partsOf(path, isTracked)))
    const tracked = paths.filter(isTracked)
    const untracked = paths.filter((path) => !isTracked(path))
    mounts.push(...untracked.map((path) => closedMount(path, scratch)))
    mounts.push(...tracked.map((path, index) => blankMount(path, scratch, mounts.length + index)))
    const seen = (path: string) => `/${relative(top, path)}`
    if (git !== undefined) groups.push({ git, tracked: tracked.map(seen), untracked: untracked.map(seen) })
  }
  const hidden = hiddenGit(groups, scratch)
  return { mounts: [...mounts, ...hidden.mounts], environment: hidden.environment }
}

/** A link hides its target if that is in a workspace; otherwise the target is not visible anyway. */
function placeOf(path: string, workspaces: readonly string[]): string[] {
  if (!existsSync(path)) return []
  if (!lstatSync(path).isSymbolicLink()) return [path]
  const real = realpathSync(path)
  return workspaces.some((workspace) => isWithin(real, workspace) && real !== workspace) ? [real] : []
}

function innermost(tops: readonly string[], path: string): string {
  return tops.filter((top) => isWithin(path, top)).sort((a, b) => b.length - a.length)[0] ?? '/'
}

/** A whole folder, or its content if git tracks some of it. */
function partsOf(path: string, isTracked: (path: string) => boolean): string[] {
  if (!lstatSync(path).isDirectory()) return [path]
  const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile() || entry.isDirectory())
  const parts = entries.flatMap(({ name }) => partsOf(join(path, name), isTracked))
  return parts.some(isTracked) ? parts : [path]
}

/** The hidden paths of one repository, relative to its top, with a leading `/`. */
type HiddenInGit = {
  /** The repository's own folder. */
  readonly git: string
  readonly tracked: readonly string[]
  readonly untracked: readonly string[]
}

/** Where children find the settings. */
const FOLDER = '/run/kode-run/git'

/**
 * Settings that make git treat hidden files as unchanged and ignore hidden files that it does not track. If a file's
 * times differ, git asks a filter for its content; ours answers with the content in the index.
 */
function hiddenGit(repositories: readonly HiddenInGit[], scratch: string) {
  if (repositories.length === 0) return { mounts: [], environment: {} }
  const folder = join(scratch, 'hidden-git')
  mkdirSync(folder)
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
    return join(FOLDER, name)
  }
  const includes = repositories.flatMap(({ git, tracked, untracked }, index) => {
    const attributes = write(
      `attributes-${index}`,
      tracked.map((path) => `${quote(literal(path))} filter=${FILTER}`),
    )
    const excludes = write(`excludes-${index}`, untracked.map(literal))
    const lines = ['[core]', `\tattributesFile = ${attributes}`, `\texcludesFile = ${excludes}`, ...SETTINGS]
    return [`[includeIf ${quote(`gitdir:${git}`)}]`, `\tpath = ${write(`config-${index}`, lines)}`]
  })
  const machine = existsSync('/etc/gitconfig') ? ['[include]', '\tpath = /etc/gitconfig'] : []
  const mounts: Mount[] = [{ kind: 'readOnly', source: folder, target: FOLDER }]
  return { mounts, environment: { GIT_CONFIG_SYSTEM: write('config', [...machine, ...includes]) } }
}

const FILTER = 'kode-run-hidden'

const SETTINGS = [
  `[filter "${FILTER}"]`,
  '\tclean = git cat-file blob :%f',
  '\tsmudge = cat',
  // A file that is not in the index has no content to answer with. A failed commit is better than one of an empty file.
  '\trequired = true',
]

/** A path as a pattern that matches only itself. */
function literal(path: string): string {
  return path.replace(/[\\*?[]/g, '\\$&')
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

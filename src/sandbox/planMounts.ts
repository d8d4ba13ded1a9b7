import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, RunError } from '../contracts/errors.ts'
import { isWithin } from '../lib/isWithin.ts'
import type { Mount } from './bubblewrapArguments.ts'
import { type GitConfig, gitConfigs, userConfigs } from './gitConfigs.ts'
import { type GitPlaces, gitPlaces } from './gitPlaces.ts'
import type { PlannedMount } from './groundMounts.ts'
import { hiddenMount, homeMounts, otherHomeMounts, realFolder } from './homeMounts.ts'
import type { Survey } from './surveyWorkspaces.ts'
import { withoutCredentials } from './withoutCredentials.ts'

/** Below a workspace: what git, GitHub, agents, editors and npm run or are steered by. A `/` at the end: a folder. */
const PROTECTED = [
  ...['.github/workflows/', '.github/actions/', '.kode/', '.claude/', '.husky/', '.vscode/'],
  ...['.mcp.json', '.npmrc', '.gitmodules', '.gitattributes'],
]

const SYSTEM_SECRETS = ['/etc/shadow', '/etc/gshadow', '/etc/shadow-', '/etc/gshadow-']

export type MountOptions = {
  /** Absolute and resolved. */
  readonly workspaces: readonly string[]
  readonly home: string | undefined
  readonly survey: Pick<Survey, 'repositories' | 'secrets'>
  /** A folder of this run: its `tmp`, `var-tmp` and `home` become those of the children. */
  readonly scratch: string
  readonly writable: readonly string[]
  readonly readOnly: readonly string[]
  readonly hidden: readonly string[]
  /** Does the policy open this protected place for writing? */
  readonly isOpened: (path: string) => boolean
}

/** What must be there and must not be written, below the workspaces. A `/` at the end: a folder. */
export function protectedPlaces(options: Pick<MountOptions, 'workspaces' | 'survey' | 'isOpened'>): readonly string[] {
  const names = options.workspaces.flatMap((workspace) => PROTECTED.map((name) => join(workspace, name)))
  const places = [...names, ...repositoriesOf(options).flatMap(({ protect }) => protect)]
  return places.filter((path) => !options.isOpened(path))
}

function repositoriesOf({ workspaces, survey }: Pick<MountOptions, 'workspaces' | 'survey'>): GitPlaces[] {
  return [...workspaces, ...survey.repositories].map(gitPlaces)
}

/** The folders whose changes are judged: the workspaces, and their repositories where these lie outside. None lies in another. */
export function groundRoots(options: Pick<MountOptions, 'workspaces' | 'survey'>): readonly string[] {
  const outside = repositoriesOf(options).flatMap(({ folder }) => (folder === undefined ? [] : [folder]))
  const all = [...new Set([...options.workspaces, ...outside])]
  return all.filter((path) => !all.some((other) => other !== path && isWithin(path, other)))
}

/** What is hidden in a place that children may write. */
export function hiddenPlaces({ workspaces, hidden }: Pick<MountOptions, 'workspaces' | 'hidden'>): readonly string[] {
  return hidden.filter((path) => workspaces.some((workspace) => isWithin(path, workspace)))
}

/**
 * What children see, in the order it is mounted: the machine read-only, without its sockets and credentials; a temporary
 * folder and a home of the run; the workspaces with their protected places; last what is read-only or hidden in any case.
 * Looks at the file system once.
 */
export function planMounts(options: MountOptions): PlannedMount[] {
  const { workspaces, home, scratch } = options
  for (const name of ['tmp', 'var-tmp', 'home']) mkdirSync(join(scratch, name))
  for (const name of ['tmp', 'var-tmp']) chmodSync(join(scratch, name), 0o1777)
  writeFileSync(join(scratch, 'empty'), '')
  const repositories = repositoriesOf(options)
  const configs = [...repositories.flatMap((repository) => repository.configs), ...userConfigs(home)]
  return [
    { kind: 'empty', target: '/run' },
    ...resolverMounts(),
    { kind: 'writable', source: join(scratch, 'tmp'), target: '/tmp' },
    { kind: 'writable', source: join(scratch, 'var-tmp'), target: '/var/tmp' },
    ...otherHomeMounts(home === undefined ? home : realFolder(home), scratch),
    ...homeMounts(home, scratch, workspaces),
    ...groundRoots(options).map((target): PlannedMount => ({ kind: 'ground', target })),
    ...options.writable.map(writableFolder).map((path): Mount => ({ kind: 'writable', source: path, target: path })),
    ...configMounts(gitConfigs(configs, home), join(scratch, 'git')),
    ...existing(options.readOnly).map((path): Mount => ({ kind: 'readOnly', source: path, target: path })),
    ...existing([...SYSTEM_SECRETS, ...hostKeys(), ...options.hidden]).map((path) => hiddenMount(path, scratch)),
    ...laterFolders(options).map(emptyFolder),
    ...[scratch].filter((folder) => !isWithin(folder, '/tmp')).map(emptyFolder),
  ]
}

/** Hidden from when they are there. */
function laterFolders(options: Pick<MountOptions, 'workspaces' | 'hidden'>): string[] {
  const folders = hiddenPlaces(options).filter((path) => path.endsWith('/') && !existsSync(path))
  return folders.map((path) => path.slice(0, -1))
}

function emptyFolder(target: string): Mount {
  return { kind: 'empty', target }
}

/** A cache that is named as writable may not be there yet on a fresh machine. */
function writableFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true })
    return realpathSync(path)
  } catch (error) {
    throw new RunError('config', `sandbox.writable: ${path} cannot be made: ${messageOf(error)}`, { cause: error })
  }
}

/** Where `/etc/resolv.conf` leads, if that is in the hidden `/run`. */
function resolverMounts(): Mount[] {
  return existing(['/etc/resolv.conf'])
    .filter((path) => isWithin(path, '/run'))
    .map((path) => ({ kind: 'readOnly', source: path, target: path }))
}

/** A copy without credentials over every git configuration that has some. */
function configMounts(configs: readonly GitConfig[], folder: string): Mount[] {
  mkdirSync(folder)
  return configs.flatMap(({ path, text }, index) => {
    const clean = withoutCredentials(text)
    if (clean === text) return []
    const source = join(folder, String(index))
    writeFileSync(source, clean)
    return [{ kind: 'readOnly', source, target: path }]
  })
}

function hostKeys(): string[] {
  if (!existsSync('/etc/ssh')) return []
  return readdirSync('/etc/ssh').flatMap((name) => (/^ssh_host_\w+_key$/.test(name) ? [join('/etc/ssh', name)] : []))
}

function existing(paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path)).map((path) => realpathSync(path))
}

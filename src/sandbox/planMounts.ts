import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf, RunError } from '../contracts/errors.ts'
import { isWithin } from '../lib/isWithin.ts'
import { placesThere } from '../lib/placesThere.ts'
import { protectedNames } from '../lib/protectedNames.ts'
import type { Mount } from './bubblewrapArguments.ts'
import { gitConfigs, userConfigs } from './gitConfigs.ts'
import { type GitPlaces, gitPlaces } from './gitPlaces.ts'
import type { PlannedMount } from './groundMounts.ts'
import { separateHome, shown, shownAtHome } from './homeMounts.ts'
import { closedFile, closedMount, makeMasks } from './masks.ts'
import { secretMounts } from './secretMounts.ts'
import type { Survey } from './surveyWorkspaces.ts'
import { isSystem, readOnly, systemMounts } from './systemMounts.ts'
import { withoutCredentials } from './withoutCredentials.ts'

export type MountOptions = {
  /** Absolute and resolved. */
  readonly workspaces: readonly string[]
  readonly home: string | undefined
  readonly survey: Pick<Survey, 'repositories' | 'secrets'>
  /** A folder of this run: its `tmp`, `var-tmp` and `home` become those of the children. */
  readonly scratch: string
  /** Paths outside of the workspaces that children may write, or only read. */
  readonly writable: readonly string[]
  readonly readable: readonly string[]
  /** Folders with programs outside of the system and of what shows of the home folder. */
  readonly tools: readonly string[]
  /** Places that rules deny to read, wherever they are. */
  readonly denied: readonly string[]
  readonly readOnly: readonly string[]
  readonly hidden: readonly string[]
  /** Does the policy open this protected place for writing? */
  readonly isOpened: (path: string) => boolean
}

/** What must be there and must not be written, below the workspaces. A `/` at the end: a folder. */
export function protectedPlaces(options: Pick<MountOptions, 'workspaces' | 'survey' | 'isOpened'>): readonly string[] {
  const names = options.workspaces.flatMap((workspace) => protectedNames().map((name) => join(workspace, name)))
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
export function hiddenPlaces({ workspaces, hidden, survey }: Omit<MountOptions, 'scratch'>): readonly string[] {
  return [...hidden.filter((path) => workspaces.some((workspace) => isWithin(path, workspace))), ...survey.secrets]
}

/** What children see, and the variables that go with it. */
export type MountPlan = {
  readonly mounts: readonly PlannedMount[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * What children see, in the order it is mounted, from nothing: the system; a temporary folder and a home of the run, with
 * the user's toolchains; what else may be read; the workspaces; what else may be written; last what is hidden in any case.
 * Looks at the file system once.
 */
export function planMounts(options: MountOptions): MountPlan {
  const { workspaces, scratch, survey } = options
  for (const name of ['tmp', 'var-tmp', 'home']) mkdirSync(join(scratch, name))
  for (const name of ['tmp', 'var-tmp']) chmodSync(join(scratch, name), 0o1777)
  makeMasks(scratch)
  const home = separateHome(options.home, workspaces)
  const roots = groundRoots(options)
  const shown = shownMounts(options, home)
  const writable = options.writable.map(writableFolder)
  const secrets = secretMounts({ workspaces, scratch, repositories: survey.repositories, secrets: survey.secrets })
  const isSeen = (path: string) =>
    isSystem(path) || [...shown, ...writable.map(readOnly)].some(({ target }) => isWithin(path, target))
  const isInRoots = (path: string) => roots.some((root) => isWithin(path, root))
  const logins =
    home === undefined ? [] : placesThere('~/', home).filter((path) => isSeen(path) && !isOpen(path, options))
  const mounts: PlannedMount[] = [
    ...systemMounts(scratch),
    { kind: 'writable', source: join(scratch, 'tmp'), target: '/tmp' },
    { kind: 'writable', source: join(scratch, 'var-tmp'), target: '/var/tmp' },
    ...(home === undefined ? [] : [{ kind: 'writable', source: join(scratch, 'home'), target: home } as const]),
    ...shown,
    ...roots.map((target): PlannedMount => ({ kind: 'ground', target })),
    ...writable.map((path): Mount => ({ kind: 'writable', source: path, target: path })),
    ...configMounts(options, (path) => isSeen(path) || isInRoots(path)),
    ...existing(options.readOnly).map(readOnly),
    ...secrets.mounts,
    ...[...logins, ...existing(options.denied).filter(isSeen)].map((path) => closedMount(path, scratch)),
    ...options.hidden.flatMap((path) => hiddenMount(path, options)),
    ...[scratch].filter((folder) => isSeen(folder) || isInRoots(folder)).map(emptyFolder),
  ]
  return { mounts: withParents(mounts), environment: secrets.environment }
}

/** What shows besides the system and the workspaces, the outer folders first. */
function shownMounts({ tools, readable }: MountOptions, home: string | undefined): Mount[] {
  const mounts = [...(home === undefined ? [] : shownAtHome(home)), ...[...tools, ...readable].flatMap(shown)]
  return mounts.sort((a, b) => a.target.length - b.target.length)
}

/** A path that the policy shows, and not only a folder around it. */
function isOpen(path: string, { readable }: MountOptions): boolean {
  return readable.some((place) => isWithin(place, path))
}

/** With the folders above what is mounted where nothing is: bwrap would make them for this user alone. */
function withParents(mounts: readonly PlannedMount[]): PlannedMount[] {
  const made = new Set(['/'])
  const filled = mounts.flatMap(({ kind, target }) => (kind === 'readOnly' || kind === 'ground' ? [target] : []))
  return mounts.flatMap((mount) => {
    const missing = foldersAbove(mount.target).filter(
      (path) => !made.has(path) && !filled.some((folder) => isWithin(path, folder)),
    )
    for (const path of [...missing, mount.target]) made.add(path)
    return [...missing.map((target): Mount => ({ kind: 'folder', target })), mount]
  })
}

/** The outermost first. */
function foldersAbove(path: string): string[] {
  const parent = dirname(path)
  return parent === '/' ? [] : [...foldersAbove(parent), parent]
}

/** A record of the run. In a workspace it may come later; a `/` at the end says that it will be a folder. */
function hiddenMount(path: string, { workspaces, scratch }: MountOptions): Mount[] {
  const target = path.replace(/\/$/, '')
  if (existsSync(target))
    return [
      lstatSync(target).isDirectory() ? emptyFolder(realpathSync(target)) : closedMount(realpathSync(target), scratch),
    ]
  if (!workspaces.some((workspace) => isWithin(target, workspace))) return []
  return [path.endsWith('/') ? emptyFolder(target) : closedFile(target, scratch)]
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

/** A copy without credentials over every git configuration that has some, and of those that would not be there. */
function configMounts({ workspaces, survey, home, scratch }: MountOptions, isSeen: (path: string) => boolean): Mount[] {
  const repositories = repositoriesOf({ workspaces, survey })
  const paths = [...repositories.flatMap(({ configs }) => configs), ...userConfigs(home)]
  const folder = join(scratch, 'git')
  mkdirSync(folder)
  return gitConfigs(paths, home).flatMap(({ path, text }, index) => {
    const clean = withoutCredentials(text)
    if (clean === text && isSeen(path)) return []
    const source = join(folder, String(index))
    writeFileSync(source, clean)
    return [{ kind: 'readOnly', source, target: path }]
  })
}

function existing(paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path)).map((path) => realpathSync(path))
}

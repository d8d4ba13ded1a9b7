import { existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { gitConfigs, userConfigs } from '../../git/places/gitConfigs.ts'
import { type GitPlaces, gitPlaces } from '../../git/places/gitPlaces.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { expandPattern } from '../../lib/places/placeMatcher.ts'
import { PLACES } from '../../lib/places/places.ts'
import type { Mount } from '../bubblewrapArguments.ts'
import { withoutCredentials } from '../environment/withoutCredentials.ts'
import { foldersBetween, outermost, type PlannedMount } from '../views/checkoutMounts.ts'
import { existingPlaces } from './existingPlaces.ts'
import { homeMounts, separateHome, visibleMounts } from './homeMounts.ts'
import { closedFile, closedMount, makeMasks } from './masks.ts'
import { secretMounts } from './secretMounts.ts'
import type { Survey } from './surveyWorkspaces.ts'
import { existing, isSystem, readOnly, systemMounts } from './systemMounts.ts'

export type MountOptions = {
  /** Absolute and resolved: the project root and the other folders that children may write. */
  readonly workspaces: readonly string[]
  readonly home: string | undefined
  readonly survey: Pick<Survey, 'repositories' | 'secrets'>
  /** A folder of this run, with the sources of mounts. Its `tmp`, `var-tmp` and `home` become those of the children. */
  readonly scratch: string
  /** Paths outside of the workspaces that children may write, or only read. */
  readonly writable: readonly string[]
  readonly readable: readonly string[]
  /** Programs, and folders with programs, outside of the system and of the visible parts of the home folder. */
  readonly tools: readonly string[]
  /** Places that rules deny to read, wherever they are. */
  readonly denied: readonly string[]
  /** Absolute: always read-only (the policy), besides the built-in list. */
  readonly readOnly: readonly string[]
  /** Absolute: invisible to children (records, the runner's own files). A `/` at the end marks a future folder. */
  readonly hidden: readonly string[]
  /** True if the policy opens this place of the built-in list for writing. A `/` at the end means the whole folder. */
  readonly isOpened: (path: string) => boolean
}

/** Places below the workspaces that must exist and must not be written. A `/` at the end: a folder. */
export function protectedPlaces(options: Pick<MountOptions, 'workspaces' | 'survey' | 'isOpened'>): readonly string[] {
  const names = options.workspaces.flatMap((workspace) => protectedNames().map((name) => join(workspace, name)))
  const places = [...names, ...repositoriesOf(options).flatMap(({ protect }) => protect)]
  return places.filter((path) => !options.isOpened(path))
}

function repositoriesOf({ workspaces, survey }: Pick<MountOptions, 'workspaces' | 'survey'>): GitPlaces[] {
  return [...workspaces, ...survey.repositories].map(gitPlaces)
}

/** The folders whose changes are judged: the workspaces, and their repositories if outside. None is inside another. */
export function checkoutRoots(options: Pick<MountOptions, 'workspaces' | 'survey'>): readonly string[] {
  const outside = repositoriesOf(options).flatMap(({ folder }) => (folder === undefined ? [] : [folder]))
  return outermost([...options.workspaces, ...outside])
}

/** The hidden places in folders that children may write. */
export function hiddenPlaces({ workspaces, hidden, survey }: Omit<MountOptions, 'scratch'>): readonly string[] {
  return [...hidden.filter((path) => workspaces.some((workspace) => isWithin(path, workspace))), ...survey.secrets]
}

/**
 * What children see, in mount order, starting from nothing: the system; a temporary folder and a home of the run, with
 * the user's toolchains; other readable places; the workspaces; other writable places; finally what is always hidden.
 * With the variables that belong to it. Looks at the file system once.
 */
export function planMounts(planned: MountOptions) {
  const { workspaces, scratch, survey } = planned
  const sources = mkdtempSync(join(scratch, 'sources-'))
  const options = { ...planned, sources }
  makeMasks(sources)
  const home = separateHome(options.home, workspaces)
  const roots = checkoutRoots(options)
  const shown = shownMounts(options, home)
  const writable = options.writable.map(writableFolder)
  const secrets = secretMounts({ ...survey, workspaces, scratch: sources })
  const isSeen = (path: string) =>
    isSystem(path) || [...shown, ...writable.map(readOnly)].some(({ target }) => isWithin(path, target))
  const isInRoots = (path: string) => roots.some((root) => isWithin(path, root))
  const logins =
    home === undefined ? [] : existingPlaces('~/', home).filter((path) => isSeen(path) && !isOpen(path, options))
  const configs = configMounts(options, (path) => isSeen(path) || isInRoots(path))
  const mounts: PlannedMount[] = [
    ...systemMounts(sources),
    { kind: 'writable', source: join(scratch, 'tmp'), target: '/tmp' },
    { kind: 'writable', source: join(scratch, 'var-tmp'), target: '/var/tmp' },
    ...(home === undefined ? [] : [{ kind: 'writable', source: join(scratch, 'home'), target: home } as const]),
    ...shown,
    ...roots.map((target): PlannedMount => ({ kind: 'checkout', target })),
    ...writable.map((path): Mount => ({ kind: 'writable', source: path, target: path })),
    ...configs,
    ...existing(options.readOnly).map(readOnly),
    ...secrets.mounts,
    ...[...logins, ...existing(options.denied).filter(isSeen)].map((path) => closedMount(path, sources)),
    ...options.hidden.flatMap((path) => hiddenMount(path, options)),
    ...[scratch].filter((folder) => isSeen(folder) || isInRoots(folder)).map(emptyFolder),
  ]
  const named = [...configs, ...secrets.mounts].flatMap(({ target }) => (isInRoots(target) ? [target] : []))
  return {
    mounts: withParents(mounts),
    environment: { ...ACROSS_MOUNTS, ...secrets.environment } as Readonly<Record<string, string>>,
    /** Places in the checkout that are hidden because of their names. If one is gone, it may have a new name. */
    named,
  }
}

/** The checkout is a mount: git would not look above it for its repository. */
const ACROSS_MOUNTS = { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' }

/** With a folder for the sources of one plan: sandboxes with an earlier plan still use theirs. */
type PlanOptions = MountOptions & { readonly sources: string }

/** What is visible besides the system and the workspaces, outer folders first. */
function shownMounts({ tools, readable }: MountOptions, home: string | undefined): Mount[] {
  const mounts = [...(home === undefined ? [] : homeMounts(home)), ...[...tools, ...readable].flatMap(visibleMounts)]
  return mounts.sort((a, b) => a.target.length - b.target.length)
}

/** A path that the policy makes visible, and not only a parent of one. */
function isOpen(path: string, { readable }: MountOptions): boolean {
  return readable.some((place) => isWithin(place, path))
}

/** Includes parent folders where nothing is mounted: bwrap would create them for this user alone. */
function withParents(mounts: readonly PlannedMount[]): PlannedMount[] {
  const made = new Set<string>()
  const filled = mounts.flatMap(({ kind, target }) => (kind === 'readOnly' || kind === 'checkout' ? [target] : []))
  return mounts.flatMap((mount) => {
    const missing = foldersBetween('/', mount.target).filter(
      (path) => !made.has(path) && !filled.some((folder) => isWithin(path, folder)),
    )
    for (const path of [...missing, mount.target]) made.add(path)
    return [...missing.map((target): Mount => ({ kind: 'folder', target })), mount]
  })
}

/** A record of the run. In a workspace it may be created later; a `/` at the end marks a future folder. */
function hiddenMount(path: string, { workspaces, sources }: PlanOptions): Mount[] {
  const target = path.replace(/\/$/, '')
  if (existsSync(target))
    return [
      lstatSync(target).isDirectory() ? emptyFolder(realpathSync(target)) : closedMount(realpathSync(target), sources),
    ]
  if (!workspaces.some((workspace) => isWithin(target, workspace))) return []
  return [path.endsWith('/') ? emptyFolder(target) : closedFile(target)]
}

function emptyFolder(target: string): Mount {
  return { kind: 'empty', target }
}

/** A cache that is named as writable may not exist yet on a new machine. */
function writableFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true })
    return realpathSync(path)
  } catch (error) {
    throw new RunError('config', `sandbox.writable: ${path} cannot be created: ${messageOf(error)}`, { cause: error })
  }
}

/** Covers each git configuration with credentials by a copy without them, also one that would not be visible. */
function configMounts({ workspaces, survey, home, sources }: PlanOptions, isSeen: (path: string) => boolean): Mount[] {
  const repositories = repositoriesOf({ workspaces, survey })
  const paths = [...repositories.flatMap(({ configs }) => configs), ...userConfigs(home)]
  const folder = join(sources, 'git')
  mkdirSync(folder)
  return gitConfigs(paths, home).flatMap(({ path, text }, index) => {
    const clean = withoutCredentials(text)
    if (clean === text && isSeen(path)) return []
    const source = join(folder, String(index))
    writeFileSync(source, clean)
    return [{ kind: 'readOnly', source, target: path }]
  })
}

/** The write-protected places of the table with a literal name, except git's. A `/` at the end: a folder. */
function protectedNames(): readonly string[] {
  const patterns = PLACES.flatMap((place) =>
    place.patterns.flatMap(expandPattern).map((pattern) => ({ place, pattern })),
  )
  const isParent = (name: string) =>
    patterns.some(({ pattern }) => pattern.startsWith(`${name}/`) && pattern !== `${name}/**`)
  return patterns
    .filter(({ place, pattern }) => place.kind === 'write-protected' && !pattern.startsWith('.git/'))
    .map(({ pattern }) => pattern.replace(/\/\*\*$/, '/'))
    .filter((name) => !name.includes('*') && (name.endsWith('/') || !isParent(name)))
}

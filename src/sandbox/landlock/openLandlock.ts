import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gitConfigs, userConfigs } from '../../git/places/gitConfigs.ts'
import { realPath } from '../../lib/fs/atPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { ownedFolder } from '../../lib/fs/ownedFolder.ts'
import type { Mount } from '../bubblewrapArguments.ts'
import type { FreshHome } from '../createBox.ts'
import type { BoxedInvocation, Invocation } from '../createCommandAccess.ts'
import { findProgram } from '../environment/childPath.ts'
import { withoutCredentials } from '../environment/withoutCredentials.ts'
import { existingPlaces } from '../mounts/existingPlaces.ts'
import { homeMounts, separateHome, visibleMounts } from '../mounts/homeMounts.ts'
import type { MountOptions } from '../mounts/planMounts.ts'
import { systemMounts } from '../mounts/systemMounts.ts'
import type { RunNetwork } from '../network/openNetwork.ts'
import type { CheckoutMode } from '../views/checkoutMode.ts'
import { removeTree } from '../views/removeTree.ts'
import { type LandlockRules, landlockVersion, landlockWords, placeRights } from './launcher.ts'

type LandlockOptions = Pick<MountOptions, 'home' | 'writable' | 'readable' | 'denied'> & {
  readonly path: string
  /** What commands that only read cannot write. Absolute and resolved, as all of these. */
  readonly checkout: readonly string[]
}

/** A wall that needs no namespaces. */
export type Landlock = Exclude<ReturnType<typeof openLandlock>, { readonly problem: string }>

/** Puts a command behind the wall. `checkout`: the mode of the checkout; all but `readOnly` are the checkout itself. */
export type LandlockWrap = (command: Invocation, cwd?: string, checkout?: Pick<CheckoutMode, 'kind'>) => BoxedInvocation

/** Version 1 cannot move a file between folders, which git and most tools do. */
const OLDEST = 2

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx', 'pts', 'shm'].map((name) => `/dev/${name}`)

/** The wall, or why there is none. */
export function openLandlock(options: LandlockOptions) {
  const perl = findProgram('perl', options.path)
  if (perl === undefined) return { problem: 'perl is missing, which would start commands behind it' }
  const version = landlockVersion(perl)
  if (version === undefined) return { problem: 'this kernel has none, or does not allow it' }
  if (version < OLDEST) return { problem: `version ${version} cannot move files between folders, Linux 5.19 can` }
  const scratch = ownedFolder(tmpdir(), 'kode-run-landlock-')
  const { checkout } = options
  const home = separateHome(options.home, [...checkout, ...options.writable])
  const environment = makeHome(scratch, home)
  const writable = [...options.writable, ...Object.values(environment)]
  const shared = placesOf({ ...options, writable }, scratch, home)
  const placesIn = (use: 'read' | 'write') => [...shared, ...checkout.flatMap((path) => placeOf(path, use))]
  // Before version 3 a file can be truncated.
  const holdsReadOnly =
    version >= 3 && !checkout.some((root) => writable.some((path) => isWithin(path, root) || isWithin(root, path)))
  const open = [
    ...(version < 4 ? ['TCP'] : []),
    ...(version < 6 ? ['signals'] : []),
    'UDP, sockets that are files, secret files in the project',
  ]
  return {
    /** What it holds and what it cannot, in one line. */
    detail: `landlock ${version}; not held: ${open.join(', ')}`,
    /** Whether it holds TCP connections. */
    holdsNetwork: version >= 4,
    /** Whether a command in a checkout that is `readOnly` can change nothing of it. */
    holdsReadOnly,
    /** A private home with links to toolchains, and a temporary folder. */
    environment,
    /** Another home of the same kind, that no command has written. */
    freshHome(): FreshHome {
      const folder = mkdtempSync(join(environment.TMPDIR, 'fresh-'))
      return { environment: makeHome(folder, home), remove: () => removeTree(folder) }
    },
    /** `ports`: the only TCP ports that commands may connect to; undefined: any. */
    wrap(ports: readonly number[] | undefined): LandlockWrap {
      const writing = landlockWords(perl, version, { places: placesIn('write'), ports })
      const reading = landlockWords(perl, version, { places: placesIn('read'), ports, keepsMetadata: true })
      return (command, _cwd, mode) => {
        const [file = perl, ...words] = mode?.kind === 'readOnly' ? reading : writing
        return { file, args: [...words, command.file, ...command.args], ended: () => Promise.resolve() }
      }
    },
    close: () => removeTree(scratch),
  }
}

/** The TCP ports that commands may connect to: that of the proxy, where there is one. */
export function portsOf({ mode, environment }: RunNetwork): readonly number[] | undefined {
  if (mode === 'open') return undefined
  return mode === 'none' ? [] : [Number(new URL(environment['HTTP_PROXY'] ?? '').port)]
}

/** A home and a temporary folder in `folder`, and the variables that name them. */
function makeHome(folder: string, home: string | undefined) {
  const environment = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') }
  for (const path of Object.values(environment)) mkdirSync(path)
  if (home !== undefined) fillHome(environment.HOME, home)
  return environment
}

/** Links to the toolchains of the user's home, and git's settings without credentials. */
function fillHome(own: string, home: string): void {
  const git = gitConfigs(userConfigs(home), home).filter(({ path }) => isWithin(path, home))
  const links = homeMounts(home).filter(({ target }) => !git.some(({ path }) => isWithin(path, realPath(target))))
  for (const { target } of links) {
    const link = join(own, relative(home, target))
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link)) symlinkSync(target, link)
  }
  for (const { path, text } of git) {
    const copy = join(own, relative(home, path))
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, withoutCredentials(text))
  }
}

type Places = LandlockRules['places']

function placesOf(options: LandlockOptions, scratch: string, home: string | undefined): Places {
  const { writable, readable, denied } = options
  const logins = [...existingPlaces('/etc/'), ...(home === undefined ? [] : existingPlaces('~/', home))]
  const closed = [...logins, ...denied].filter((path) => !readable.some((place) => isWithin(place, path)))
  const shown = [
    ...systemMounts(scratch),
    ...(home === undefined ? [] : homeMounts(home)),
    ...readable.flatMap(visibleMounts),
  ]
  const read = [...shown.flatMap(sourceOf), '/proc'].flatMap((path) => without(path, closed))
  return [
    ...read,
    ...DEVICES.flatMap((path) => placeOf(path, 'device')),
    ...writable.flatMap((path) => placeOf(path, 'write')),
  ]
}

function sourceOf(mount: Mount): string[] {
  return mount.kind === 'readOnly' && existsSync(mount.source) && mount.source === realPath(mount.target)
    ? [mount.source]
    : []
}

/** A readable place; if some of what is in it is closed, its other entries one by one. */
function without(path: string, closed: readonly string[]): Places {
  if (closed.some((place) => isWithin(path, place))) return []
  if (!closed.some((place) => isWithin(place, path))) return placeOf(path, 'read')
  const real = readdirSync(path, { withFileTypes: true }).filter((entry) => !entry.isSymbolicLink())
  return [...placeOf(path, 'list'), ...real.flatMap(({ name }) => without(join(path, name), closed))]
}

function placeOf(path: string, use: Parameters<typeof placeRights>[0]): Places {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? [] : [{ path, rights: placeRights(use, stat.isDirectory()) }]
}

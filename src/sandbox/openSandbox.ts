import { RunError } from '../contracts/errors.ts'
import type { Enforcement } from '../contracts/events.ts'
import type { SandboxSettings } from '../contracts/settings.ts'
import { sharedObjects } from '../git/places/alternates.ts'
import { once } from '../lib/memoize.ts'
import { type Box, type BoxOptions, createBox, type FreshHome } from './createBox.ts'
import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'
import { findProgram } from './environment/childPath.ts'
import { type Landlock, type LandlockWrap, openLandlock, portsOf } from './landlock/openLandlock.ts'
import { checkoutRoots } from './mounts/planMounts.ts'
import type { Survey } from './mounts/surveyWorkspaces.ts'
import { toolFolders } from './mounts/toolFolders.ts'
import {
  type Namespaces,
  type NetworkEntry,
  type NetworkMode,
  openNetwork,
  type RunNetwork,
} from './network/openNetwork.ts'
import { IN_FORCE, probeSandbox, type SandboxState } from './probeSandbox.ts'
import { objectionTo, sandboxAdvice } from './sandboxAdvice.ts'
import { type CheckoutMode, DIRECT } from './views/checkoutMode.ts'
import { openViewMemory } from './views/openViewMemory.ts'
import { closeViews, openViews, type Views } from './views/openViews.ts'

export type SandboxOptions = Omit<BoxOptions, 'writable' | 'readable' | 'tools' | 'denied' | 'survey'> & {
  readonly settings: SandboxSettings
  /** The network if the policy does not set it and there is no sandbox; `open` by default. */
  readonly unboxedNetwork?: NetworkMode
  readonly survey: Survey
  /** The search path of children, where the sandbox's own programs are found. */
  readonly path: string
  /** Absolute: places that rules deny to read, also outside of the workspaces. */
  readonly denied?: readonly string[]
  /** The children's variables: the toolchains that they name become visible. */
  readonly environment?: Readonly<Record<string, string>>
  /** Absolute: programs of kode-run itself, which children see wherever they are installed. */
  readonly programs?: readonly string[]
  /** Folders where views of the checkout may be made, the best first; beside the checkout by default. */
  readonly views?: readonly string[]
  /** The user's state folder, which remembers what worked; without it, all is tested. */
  readonly stateFolder?: string
  /** What the network proxy refused, in words. */
  readonly onRefusal: (message: string) => void
}

/** The sandbox of a run's children, and which parts of it are in force. */
export interface Sandbox extends SandboxState {
  readonly mode: SandboxSettings['mode']
  readonly network: { readonly mode: NetworkMode; readonly state: Enforcement; readonly detail: string }
  /** Add these to the environment of every child. */
  readonly environment: Readonly<Record<string, string>>
  readonly views: Omit<Views, 'terms'>
  /** The folders that commands see as the checkout: workspaces, and repositories outside of them. */
  readonly roots: readonly string[]
  /** Puts a command into the sandbox; undefined if there is none. No tool input reaches it. */
  readonly wrap: ((command: Invocation, cwd: string, checkout?: CheckoutMode) => BoxedInvocation) | undefined
  /** Without a sandbox: the wall around each command, and its variables; undefined if there is none either. */
  readonly landlock?: Pick<Landlock, 'environment' | 'holdsReadOnly'> & { readonly wrap: LandlockWrap }
  /** A home that no command has written; undefined where commands have the user's own. */
  readonly freshHome: (() => FreshHome) | undefined
  /** Removes what was made for it. All children must have ended. */
  close(): Promise<void>
}

/**
 * Opens the sandbox of a run and tests it once. `required` throws `sandbox_unavailable` if the sandbox or its network
 * cannot be enforced; `auto` continues and says so in `state` and `detail`.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const parts = await openParts(options)
  const { box, remedy = [], landlock } = parts
  const close = async () => {
    await closeAround(parts)
    await Promise.all([box?.close(), landlock?.close()])
  }
  const objection = objectionTo(options.settings, parts)
  if (objection === undefined) return { ...describe(options, parts), close }
  await close()
  const more = remedy.slice(1).map((line) => `\n  ${line}`)
  throw new RunError('sandbox_unavailable', `sandbox.mode is required, and ${objection}${more.join('')}`)
}

export type SandboxParts = SandboxState & {
  readonly box?: Box
  readonly network: RunNetwork
  readonly views: Views
  readonly landlock?: Landlock | undefined
  readonly remedy?: readonly string[]
}

/** One command in a view tests all parts at once. Only where it fails is each tested, to say what is missing. */
async function openParts(options: SandboxOptions): Promise<SandboxParts> {
  const { settings } = options
  if (settings.mode === 'off') return withoutBox(options, 'sandbox.mode is off')
  if (process.platform !== 'linux') return withoutBox(options, 'the sandbox needs Linux')
  const bwrap = findProgram('bwrap', options.path)
  if (bwrap === undefined) return withoutBox(options, 'bwrap is missing', sandboxAdvice('bwrap is missing'))
  const box = await createBox(bwrap, { ...options, ...placesOf(options) }).catch(refuse)
  const tryBox = once(() => probe(box, { prefix: [], isOffline: false }))
  const starts = async () => (await tryBox()).state === 'enforced'
  try {
    const around = await openAround(options, { box, bwrap, starts })
    const { state, detail } = around.views.state === 'enforced' ? IN_FORCE : await tryBox()
    if (state === 'enforced') return { state, detail, box, ...around }
    await closeAround(around)
  } catch (error) {
    await box.close()
    throw error
  }
  await box.close()
  const { detail } = await tryBox()
  const isFull = /EAGAIN|Resource temporarily unavailable/.test(detail)
  return withoutBox(options, detail, sandboxAdvice(isFull ? 'too many processes' : 'it does not start'))
}

type Around = Pick<SandboxParts, 'network' | 'views'>
type BoxParts = { readonly box: Box; readonly bwrap: string; readonly starts: () => Promise<boolean> }

async function openAround(options: SandboxOptions, { box, bwrap, starts }: BoxParts): Promise<Around> {
  const viewsIn = (network: NetworkEntry) =>
    openViews({
      ...{ box, bwrap, starts, path: options.path, network },
      candidates: options.views ?? [],
      memoryFor: memoryOf(options),
      foreign: options.survey.foreign,
    })
  let early: Views | undefined
  const network = await openRunNetwork(options, {
    bwrap,
    nsenter: findProgram('nsenter', options.path),
    scratch: box.scratch,
    async probe(prefix) {
      const entry = { prefix, isOffline: false }
      early = await viewsIn(entry)
      if (early.state === 'enforced') return undefined
      const { state, detail } = await probe(box, entry)
      return state === 'enforced' ? undefined : detail
    },
  })
  if (early !== undefined && network.prefix.length > 0) return { network, views: early }
  if (early !== undefined) await closeViews(early)
  return { network, views: await viewsIn(network) }
}

function memoryOf({ stateFolder, workspaces, settings, home, path, denied }: SandboxOptions) {
  if (stateFolder === undefined) return undefined
  const known = { folder: stateFolder, workspaces, settings: [settings, home, path, denied] }
  return (programs: readonly string[]) => openViewMemory({ ...known, programs })
}

async function closeAround({ network, views }: Around): Promise<void> {
  await network.close()
  await closeViews(views)
}

/** Without a sandbox a run may continue. Landlock stands in where it can and may. */
async function withoutBox(options: SandboxOptions, why: string, remedy: readonly string[] = []): Promise<SandboxParts> {
  const { mode, wall } = options.settings
  const isWanted = mode === 'auto' || (mode === 'required' && wall === 'landlock')
  const tried = isWanted && process.platform === 'linux' ? openLandlock(landlockOptions(options)) : undefined
  const landlock = tried === undefined || 'problem' in tried ? undefined : tried
  const none = tried !== undefined && 'problem' in tried ? `; no Landlock: ${tried.problem}` : ''
  const detail = `${[why, ...remedy.slice(0, 1)].join('; to fix it: ')}${none}`
  const network = await openRunNetwork(options, undefined)
  const isHeld = network.state === 'advisory' && landlock?.holdsNetwork === true
  return {
    ...(landlock === undefined
      ? { state: 'off', detail }
      : { state: 'advisory', detail: `${landlock.detail}; no sandbox: ${detail}` }),
    ...{ remedy, landlock },
    network: isHeld ? { ...network, detail: 'TCP is held by Landlock, UDP only by proxy variables' } : network,
    views: { state: 'watched', detail: 'there is no sandbox' },
  }
}

/**
 * What children may write, and what they see: also the toolchains that the environment names, our own programs, and what
 * the repositories share. Commands could later name other folders as shared, so it is read once.
 */
function placesOf({ settings, workspaces, home, environment, path, programs = [], denied = [] }: SandboxOptions) {
  const around = [...workspaces, ...(home === undefined ? [] : [home])]
  const tools = [...toolFolders({ environment: { ...environment, PATH: path }, around }), ...programs]
  const readable = [...settings.readable, ...workspaces.flatMap(sharedObjects)]
  return { writable: settings.writable, readable, tools, denied }
}

function landlockOptions(options: SandboxOptions) {
  const { writable, readable, tools, denied } = placesOf(options)
  return {
    ...{ path: options.path, home: options.home, checkout: checkoutRoots(options), writable, denied },
    readable: [...tools, ...readable, ...options.readOnly],
  }
}

/** A full or read-only disk is a problem of the machine. */
function refuse(error: unknown): never {
  if (!(error instanceof Error) || !('syscall' in error)) throw error
  throw new RunError('io_error', `The sandbox cannot create its folders: ${error.message}`, { cause: error })
}

function describe(
  options: SandboxOptions,
  { state, detail, box, network, views, landlock }: SandboxParts,
): Omit<Sandbox, 'close'> {
  return {
    ...{ state, detail, mode: options.settings.mode },
    network: { mode: network.mode, state: network.state, detail: network.detail },
    environment: { ...(box && { TMPDIR: '/tmp', ...box.environment }), ...network.environment },
    views,
    roots: checkoutRoots(options),
    wrap:
      box &&
      ((command, cwd, checkout = DIRECT) => box.invoke(command, cwd, { ...network, view: views.terms }, checkout)),
    freshHome: (box ?? landlock)?.freshHome,
    ...(landlock && { landlock: { ...landlock, wrap: landlock.wrap(portsOf(network)) } }),
  }
}

function probe(box: Box, network: NetworkEntry): Promise<SandboxState> {
  return probeSandbox((command, cwd) => box.invoke(command, cwd, network, DIRECT))
}

function openRunNetwork(options: SandboxOptions, namespaces: Namespaces | undefined): Promise<RunNetwork> {
  const { network, allow } = options.settings
  const mode = network ?? (namespaces === undefined ? (options.unboxedNetwork ?? 'open') : 'none')
  return openNetwork({ mode, allow, namespaces, onRefusal: options.onRefusal })
}

import { RunError } from '../contracts/errors.ts'
import type { Enforcement } from '../contracts/events.ts'
import type { SandboxSettings } from '../contracts/settings.ts'
import { findProgram } from './childPath.ts'
import { type Box, type BoxOptions, createBox } from './createBox.ts'
import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'
import { DIRECT, type Ground } from './ground.ts'
import { mendSandbox } from './mendSandbox.ts'
import { type NetworkMode, openNetwork, type RunNetwork } from './openNetwork.ts'
import { openViews, type Views } from './openViews.ts'
import { groundRoots } from './planMounts.ts'
import { probeSandbox, type SandboxState } from './probeSandbox.ts'
import { removeTree } from './removeTree.ts'
import type { Survey } from './surveyWorkspaces.ts'
import { toolFolders } from './toolFolders.ts'

export type SandboxOptions = {
  readonly settings: Omit<SandboxSettings, 'readable'> & Partial<Pick<SandboxSettings, 'readable'>>
  /** The network where the policy says nothing and there is no sandbox; `open` by default. */
  readonly unboxedNetwork?: NetworkMode
  /** Absolute and resolved: the project root and what else children may write. */
  readonly workspaces: readonly string[]
  /** What is in the workspaces. */
  readonly survey: Survey
  readonly home: string | undefined
  /** A child's search path, on which the sandbox's own programs are found. */
  readonly path: string
  /** Absolute: read-only in any case (the policy), besides the built-in list. */
  readonly readOnly: readonly string[]
  /** Absolute: not there for children (records, the runner's own files). A `/` at the end: a folder that may come later. */
  readonly hidden: readonly string[]
  /** Does the policy open this place of the built-in list for writing? A `/` at the end: the whole folder. */
  readonly isOpened: (path: string) => boolean
  /** Absolute: places that rules deny to read, outside of the workspaces too. */
  readonly denied?: readonly string[]
  /** The children's variables: what they name as toolchains shows. */
  readonly environment?: Readonly<Record<string, string>>
  /** Folders in which views of the checkout may be made, the best first; beside the checkout by default. */
  readonly views?: readonly string[]
  /** What the network proxy refused, in words. */
  readonly onRefusal: (message: string) => void
}

/** The fence around a run's children, and what of it is really in force. */
export interface Sandbox extends SandboxState {
  readonly mode: SandboxSettings['mode']
  readonly network: { readonly mode: NetworkMode; readonly state: Enforcement; readonly detail: string }
  /** To be added to the environment of every child. */
  readonly environment: Readonly<Record<string, string>>
  readonly views: Omit<Views, 'terms'>
  /** The folders of which a ground is made: workspaces, and repositories outside of them. */
  readonly roots: readonly string[]
  /** Puts a command into the sandbox; undefined where there is none. No input of a tool reaches it. */
  readonly wrap: ((command: Invocation, cwd: string, ground?: Ground) => BoxedInvocation) | undefined
  /** Removes what was made for it. Children must have ended. */
  close(): Promise<void>
}

/**
 * Opens the sandbox of a run and tries it once. `required` throws `sandbox_unavailable` where it, or the network it asks
 * for, cannot be enforced; `auto` goes on and says so in `state` and `detail`.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { box, bwrap, mend = [], ...state } = await openBox(options)
  try {
    const network = await openRunNetwork(options, box, bwrap)
    const views = await openRunViews(options, box, { bwrap, network })
    const close = async () => {
      await network.close()
      await Promise.all([views.folder === undefined ? undefined : removeTree(views.folder), box?.close()])
    }
    const objection = objectionTo(options.settings, { state, network, views })
    if (objection === undefined) return { ...describe(options, { state, box, network, views }), close }
    await close()
    const more = mend.slice(1).map((line) => `\n  ${line}`)
    throw new RunError('sandbox_unavailable', `sandbox.mode is required, and ${objection}${more.join('')}`)
  } catch (error) {
    await box?.close()
    throw error
  }
}

type OpenedBox = SandboxState & { readonly box?: Box; readonly bwrap?: string; readonly mend?: readonly string[] }

/** A box that was tried; without one, nothing of it is left. */
async function openBox(options: SandboxOptions): Promise<OpenedBox> {
  const { settings } = options
  if (settings.mode === 'off') return { state: 'off', detail: 'sandbox.mode is off' }
  if (process.platform !== 'linux') return { state: 'off', detail: 'the sandbox needs Linux' }
  const bwrap = findProgram('bwrap', options.path)
  if (bwrap === undefined) return missing('bwrap is missing', mendSandbox('bwrap is missing'))
  const box = await createBox(bwrap, boxOptions(options)).catch(refuse)
  const state = await probe(box, { prefix: [], isOffline: false })
  if (state.state === 'enforced') return { ...state, box, bwrap }
  await box.close()
  return missing(state.detail, mendSandbox('it does not start'))
}

/** Without a sandbox a run may go on; then one line is enough. */
function missing(why: string, mend: readonly string[]): OpenedBox {
  const [first] = mend
  return { state: 'off', detail: first === undefined ? why : `${why}; to mend it: ${first}`, mend }
}

function boxOptions({ settings, denied = [], environment, path, ...options }: SandboxOptions): BoxOptions {
  const { writable, readable = [] } = settings
  const around = [...options.workspaces, ...(options.home === undefined ? [] : [options.home])]
  const tools = toolFolders({ environment: { ...environment, PATH: path }, around })
  return { ...options, writable, readable, tools, denied }
}

/** A full or read-only disk is the machine's matter. */
function refuse(error: unknown): never {
  if (!(error instanceof Error) || !('syscall' in error)) throw error
  throw new RunError('io_error', `The sandbox cannot make its folders: ${error.message}`, { cause: error })
}

type Parts = {
  readonly state: SandboxState
  readonly box: Box | undefined
  readonly network: RunNetwork
  readonly views: Views
}

function describe(options: SandboxOptions, parts: Parts): Omit<Sandbox, 'close'> {
  const { state, box, network, views } = parts
  const terms = { ...network, view: views.terms }
  return {
    ...state,
    mode: options.settings.mode,
    network: { mode: network.mode, state: network.state, detail: network.detail },
    environment: { ...(box !== undefined && { TMPDIR: '/tmp' }), ...box?.environment, ...network.environment },
    views,
    roots: groundRoots(options),
    wrap: box && ((command, cwd, ground = DIRECT) => box.invoke(command, cwd, terms, ground)),
  }
}

function probe(box: Box, network: Pick<RunNetwork, 'prefix' | 'isOffline'>): Promise<SandboxState> {
  return probeSandbox((command, cwd) => box.invoke(command, cwd, network, DIRECT))
}

type Means = { readonly bwrap: string | undefined; readonly network: RunNetwork }

async function openRunViews(options: SandboxOptions, box: Box | undefined, { bwrap, network }: Means): Promise<Views> {
  if (box === undefined || bwrap === undefined) return { state: 'watched', detail: 'there is no sandbox' }
  return openViews({ box, bwrap, path: options.path, network, candidates: options.views ?? [] })
}

function openRunNetwork(options: SandboxOptions, box: Box | undefined, bwrap: string | undefined): Promise<RunNetwork> {
  const { network, allow } = options.settings
  const mode = network ?? (box === undefined ? (options.unboxedNetwork ?? 'open') : 'none')
  const common = { mode, allow, onRefusal: options.onRefusal }
  if (box === undefined || bwrap === undefined) return openNetwork({ ...common, namespaces: undefined })
  return openNetwork({
    ...common,
    namespaces: {
      bwrap,
      nsenter: findProgram('nsenter', options.path),
      scratch: box.scratch,
      async probe(prefix) {
        const { state, detail } = await probe(box, { prefix, isOffline: false })
        return state === 'enforced' ? undefined : detail
      },
    },
  })
}

/** What stands against going on, where the sandbox is required. */
function objectionTo(settings: SandboxOptions['settings'], { state, network, views }: Omit<Parts, 'box'>) {
  if (settings.mode !== 'required') return undefined
  if (state.state !== 'enforced') return `it does not start: ${state.detail}`
  if (views.state !== 'enforced') return `changes could not be undone: ${views.detail}`
  if (network.state !== 'advisory') return undefined
  return `sandbox.network: ${network.mode} cannot be enforced: ${network.detail}`
}

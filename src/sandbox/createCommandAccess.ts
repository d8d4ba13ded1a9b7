import type { BackgroundCommand, CommandAccess, CommandRequest, CommandResult } from '../contracts/commands.ts'
import { messageOf } from '../contracts/errors.ts'
import { runCommand } from '../lib/process/runCommand.ts'
import { createBackgroundCommand } from './createBackgroundCommand.ts'
import { COMMAND_MARKER, endMarked, type LeakedProcess, RUN_MARKER } from './integrity/endLeakedProcesses.ts'
import type { NetworkMode } from './network/openNetwork.ts'
import { probeSandbox } from './probeSandbox.ts'
import { startWaiting, type WaitingSandbox } from './startWaiting.ts'
import { type CheckoutMode, DIRECT } from './views/checkoutMode.ts'

export type Invocation = { readonly file: string; readonly args: readonly string[] }

export type BoxedInvocation = Invocation & {
  /** Files among the arguments that the run itself keeps writing. */
  readonly written?: readonly string[]
  /** Call it when the command has ended; settles when nothing that the command started is alive. */
  readonly ended: () => Promise<void>
}

export type CommandAccessOptions = {
  /** What every child gets, apart from the additions of a request. */
  readonly environment: Readonly<Record<string, string>>
  /** Set in every child's environment, to find processes that leave its group. */
  readonly runId: string
  /** Puts a command into the sandbox; undefined if there is none. */
  readonly wrap?: ((command: Invocation, cwd: string, checkout: CheckoutMode) => BoxedInvocation) | undefined
  /** Called if bubblewrap fails and starts nothing else either; why, in its words. */
  readonly onSandboxLost?: (why: string) => void
  /** The network of the commands, to tell the model why a command fails without one. */
  readonly network?: NetworkMode | undefined
  /** True if a sandbox does not end the processes that a command leaves: then they are found and killed. */
  readonly endsLeftovers?: boolean
  /** True: removes terminal escape sequences from output. */
  readonly isPlain?: boolean
  readonly putBlob: (content: Uint8Array) => string
  readonly defaultTimeoutMs: number
  /** Default: 30,000. */
  readonly maxOutputCharacters?: number
  readonly maxTimeoutMs: number
  /** When all commands must have ended, on the monotonic clock, milliseconds. */
  readonly deadline: number
}

export type BackgroundRequest = Parameters<CommandAccess['start']>[0]
export type WatchLaunch = (id: string, launch: () => Promise<CommandResult>) => Promise<CommandResult>

/** The commands of one run. Ending it ends them. */
export type ClosableCommandAccess = Readonly<ReturnType<typeof createCommandAccess>>

/**
 * The only way to start child processes of a run: a clean environment, the sandbox if there is one, and a timeout
 * within the limits of the policy and the run. Its methods do not throw.
 */
export function createCommandAccess(options: CommandAccessOptions) {
  const background = new Map<string, BackgroundCommand>()
  const running = new Set<Promise<unknown>>()
  const closing = new AbortController()
  const leftovers: LeakedProcess[] = []
  let launched = 0

  const environmentOf = ({ env }: Pick<CommandRequest, 'env'>) => ({
    ...options.environment,
    ...env,
    [RUN_MARKER]: options.runId,
  })
  const launch = (request: CommandRequest, checkout: CheckoutMode, waiting?: WaitingSandbox) => {
    const boxed = waiting ?? options.wrap?.(request, request.cwd, checkout)
    const { file, args } = boxed ?? request
    const marker = options.endsLeftovers === true ? `${options.runId}.${launched++}` : undefined
    const env = { ...environmentOf(request), ...(marker !== undefined && { [COMMAND_MARKER]: marker }) }
    const signal = AbortSignal.any([request.signal, closing.signal])
    const { putBlob, network } = options
    // The output of kode-run's own reader is data, such as names of files.
    const isPlain = options.isPlain === true && request.isOwnReader !== true
    const child = waiting?.give({ ...request, signal })
    const ran = runCommand({ ...request, file, args, env, signal }, { putBlob, isPlain, child })
    const command = ran.then(async (ending) => {
      if (marker !== undefined) leftovers.push(...(await endMarked(COMMAND_MARKER, marker)))
      return withNetworkNote(ending, network)
    })
    const result = command.then(async (ending) => {
      if (boxed === undefined) return ending
      const problem = await boxed.ended().then(() => undefined, messageOf)
      return noteLoss(problem === undefined ? ending : { ...ending, startError: problem }, options)
    })
    running.add(result)
    void result.finally(() => running.delete(result))
    return result
  }
  const timeLeft = () => Math.max(options.deadline - performance.now(), 0)
  const clamp = (asked: number) => {
    const wanted = asked > 0 ? asked : options.defaultTimeoutMs
    return Math.floor(Math.min(wanted, options.maxTimeoutMs, timeLeft()))
  }
  /** Like `run`, with the checkout in another mode. Uses the waiting sandbox if the request fits it. */
  const runOn = (request: CommandRequest, checkout: CheckoutMode, waiting?: WaitingSandbox) =>
    launch({ ...request, timeoutMs: clamp(request.timeoutMs) }, checkout, waiting)
  /** Like `start`, with a watcher that runs from before the start until after the end. */
  const startWatched = (request: BackgroundRequest, watch: WatchLaunch) => {
    const id = `bash_${background.size + 1}`
    const command = createBackgroundCommand({ id, command: request.command }, (controls) =>
      watch(id, () => launch({ ...request, ...controls, timeoutMs: timeLeft() }, DIRECT)),
    )
    background.set(id, command)
    return command
  }
  return {
    defaultTimeoutMs: options.defaultTimeoutMs,
    maxOutputCharacters: options.maxOutputCharacters ?? 30_000,
    run: (request: CommandRequest) => runOn(request, DIRECT),
    runOn,
    /** Starts a sandbox for a later command like this one. The caller must end it. */
    prepare(like: CommandRequest, checkout: CheckoutMode) {
      const { wrap } = options
      const { signal } = closing
      if (wrap === undefined || like.input !== undefined || signal.aborted) return undefined
      return startWaiting({ like, environment: environmentOf(like), signal, checkout, wrap })
    },
    start: (request: BackgroundRequest) => startWatched(request, (_, launch) => launch()),
    startWatched,
    background: (id: string) => background.get(id),
    listBackground: () => [...background.values()],
    /** The processes that were killed because they outlived their command. */
    leftovers: (): readonly LeakedProcess[] => leftovers,
    /** Ends every command, foreground and background, within 2.5 s; nothing starts afterwards. */
    async closeAll() {
      closing.abort()
      await Promise.all(running)
    },
  }
}

/** bubblewrap fails with code 1 and a line of its own, as one that a command starts may. Lost if nothing starts now. */
async function noteLoss(result: CommandResult, { wrap, onSandboxLost }: CommandAccessOptions): Promise<CommandResult> {
  const isOwnLine = [result.stdout, result.stderr].some(({ text }) => text.startsWith('bwrap: '))
  if (result.exitCode !== 1 || !isOwnLine || wrap === undefined || onSandboxLost === undefined) return result
  const { state, detail } = await probeSandbox((command, cwd) => wrap(command, cwd, DIRECT))
  if (state === 'off') onSandboxLost(detail)
  return result
}

/** Messages of programs that cannot resolve a name or reach an address; not those for a refused connection. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|UnknownHostException)\b|could ?n[o']t resolve (?:host|proxy)|failed to lookup address|temporary failure in name resolution|name or service not known|network is unreachable|no such host|nodename nor servname|could not resolve address|dns error/i

/**
 * Adds a line to a command's errors if one of its programs seems to have failed without a network. The last program of
 * a pipeline may still have succeeded, so the exit code does not matter.
 */
export function withNetworkNote(result: CommandResult, mode: NetworkMode | undefined): CommandResult {
  if (mode === undefined || mode === 'open') return result
  const { stdout, stderr } = result
  const text = `${stdout.text}\n${stderr.text}`
  // The proxy of an allowlist reports its refusals itself.
  if (!UNREACHABLE.test(text) || text.includes('sandbox.allow')) return result
  return { ...result, stderr: { ...stderr, text: `${stderr.text.replace(/\n*$/, '\n').trimStart()}${NOTES[mode]}\n` } }
}

const NOTES = {
  none: 'kode-run: commands have no network here (sandbox.network is none, which is the default).',
  allowlist:
    'kode-run: commands reach only the hosts of sandbox.allow, and only programs that obey proxy variables do.',
} as const

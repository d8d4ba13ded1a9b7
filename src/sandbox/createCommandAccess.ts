import type { BackgroundCommand, CommandAccess, CommandRequest, CommandResult } from '../contracts/commands.ts'
import { messageOf } from '../contracts/errors.ts'
import { runCommand } from '../lib/runCommand.ts'
import { createBackgroundCommand } from './createBackgroundCommand.ts'
import { DIRECT, type Ground } from './ground.ts'
import type { NetworkMode } from './openNetwork.ts'
import { COMMAND_MARKER, endMarked, type LeakedProcess, RUN_MARKER } from './sweepLeaked.ts'
import { withNetworkNote } from './withNetworkNote.ts'

/** What is left of the run for its records, when a command is stopped at the deadline. */
export const RECORDS_MS = 3_000

/** A program and its arguments, as they are started. */
export type Invocation = { readonly file: string; readonly args: readonly string[] }

/** A command in a sandbox. */
export type BoxedInvocation = Invocation & {
  /** To be called when it has ended; settles when nothing that it started lives any more. */
  readonly ended: () => Promise<void>
}

export type CommandAccessOptions = {
  /** All that a child gets, but for what a request adds. */
  readonly environment: Readonly<Record<string, string>>
  /** Stands in every child's environment, so that what escapes its group can be found. */
  readonly runId: string
  /** Puts a command into the sandbox; absent where there is none. */
  readonly wrap?: ((command: Invocation, cwd: string, ground: Ground) => BoxedInvocation) | undefined
  /** The network that the commands have, if a model is to be told why one fails for want of it. */
  readonly network?: NetworkMode | undefined
  /** True where a sandbox does not end with a command what it started: then that is looked for and killed. */
  readonly endsLeftovers?: boolean
  /** True: output without the escape sequences of terminals. */
  readonly isPlain?: boolean
  readonly putBlob: (content: Uint8Array) => string
  readonly defaultTimeoutMs: number
  readonly maxTimeoutMs: number
  /** End of the run on the monotonic clock, milliseconds. */
  readonly deadline: number
}

export type BackgroundRequest = Parameters<CommandAccess['start']>[0]
export type WatchLaunch = (id: string, launch: () => Promise<CommandResult>) => Promise<CommandResult>

/** The commands of one run, with their end. */
export interface ClosableCommandAccess extends CommandAccess {
  /** Like `run`, on a ground that is not the checkout itself. */
  runOn(request: CommandRequest, ground: Ground): Promise<CommandResult>
  /** Like `start`, with something that watches the command from before its start until after its end. */
  startWatched(request: BackgroundRequest, watch: WatchLaunch): BackgroundCommand
  /** What had to be killed since it outlived its command. */
  leftovers(): readonly LeakedProcess[]
  /** Ends every command, in the background or not, within 2.5 s; nothing starts after it. */
  closeAll(): Promise<void>
}

/**
 * The one way to child processes of a run: clean environment, sandbox where there is one, and a timeout within the
 * policy's limit and the run's time. Its methods do not throw.
 */
export function createCommandAccess(options: CommandAccessOptions): ClosableCommandAccess {
  const background = new Map<string, BackgroundCommand>()
  const running = new Set<Promise<unknown>>()
  const closing = new AbortController()
  const leftovers: LeakedProcess[] = []
  let launched = 0

  const launch = (request: CommandRequest, ground: Ground) => {
    const boxed = options.wrap?.(request, request.cwd, ground)
    const { file, args } = boxed ?? request
    const marker = options.endsLeftovers === true ? `${options.runId}.${launched++}` : undefined
    const marks = { [RUN_MARKER]: options.runId, ...(marker !== undefined && { [COMMAND_MARKER]: marker }) }
    const env = { ...options.environment, ...request.env, ...marks }
    const signal = AbortSignal.any([request.signal, closing.signal])
    const { putBlob, isPlain, network } = options
    const ran = runCommand({ ...request, file, args, env, signal }, { putBlob, isPlain })
    const command = ran.then(async (ending) => {
      if (marker !== undefined) leftovers.push(...(await endMarked(COMMAND_MARKER, marker)))
      return withNetworkNote(ending, network)
    })
    const result = boxed === undefined ? command : command.then((ending) => afterEnd(ending, boxed))
    running.add(result)
    void result.finally(() => running.delete(result))
    return result
  }
  const timeLeft = () => Math.max(options.deadline - performance.now() - RECORDS_MS, 0)
  const clamp = (asked: number) => {
    const wanted = asked > 0 ? asked : options.defaultTimeoutMs
    return Math.floor(Math.min(wanted, options.maxTimeoutMs, timeLeft()))
  }
  const runOn = (request: CommandRequest, ground: Ground) =>
    launch({ ...request, timeoutMs: clamp(request.timeoutMs) }, ground)
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
    run: (request) => runOn(request, DIRECT),
    runOn,
    start: (request) => startWatched(request, (_, launch) => launch()),
    startWatched,
    background: (id) => background.get(id),
    listBackground: () => [...background.values()],
    leftovers: () => leftovers,
    async closeAll() {
      closing.abort()
      await Promise.all(running)
    },
  }
}

async function afterEnd(result: CommandResult, { ended }: BoxedInvocation): Promise<CommandResult> {
  try {
    await ended()
    return result
  } catch (error) {
    return { ...result, startError: messageOf(error) }
  }
}

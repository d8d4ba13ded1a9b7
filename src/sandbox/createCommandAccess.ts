import type { BackgroundCommand, CommandAccess, CommandRequest } from '../contracts/commands.ts'
import { runCommand } from '../lib/runCommand.ts'
import { createBackgroundCommand } from './createBackgroundCommand.ts'
import { RUN_MARKER } from './sweepLeaked.ts'

/** What is left of the run for its records, when a command is stopped at the deadline. */
export const RECORDS_MS = 3_000

/** A program and its arguments, as they are started. */
export type Invocation = { readonly file: string; readonly args: readonly string[] }

/** A command in a sandbox; what the sandbox needs in the checkout is there until `ended` is called. */
export type BoxedInvocation = Invocation & {
  /** Settles when nothing that the command started lives any more. */
  readonly ended: () => Promise<void>
}

export type CommandAccessOptions = {
  /** All that a child gets, but for what a request adds. */
  readonly environment: Readonly<Record<string, string>>
  /** Stands in every child's environment, so that what escapes its group can be found. */
  readonly runId: string
  /** Puts a command into the sandbox; absent where there is none. */
  readonly wrap?: ((command: Invocation, cwd: string) => BoxedInvocation) | undefined
  readonly putBlob: (content: Uint8Array) => string
  readonly defaultTimeoutMs: number
  readonly maxTimeoutMs: number
  /** End of the run on the monotonic clock, milliseconds. */
  readonly deadline: number
}

/** The commands of one run, with their end. */
export interface ClosableCommandAccess extends CommandAccess {
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

  const launch = (request: CommandRequest) => {
    const boxed = options.wrap?.(request, request.cwd)
    const { file, args } = boxed ?? request
    const env = { ...options.environment, ...request.env, [RUN_MARKER]: options.runId }
    const signal = AbortSignal.any([request.signal, closing.signal])
    const command = runCommand({ ...request, file, args, env, signal }, { putBlob: options.putBlob })
    const result = boxed === undefined ? command : command.finally(boxed.ended)
    running.add(result)
    void result.finally(() => running.delete(result))
    return result
  }
  const timeLeft = () => Math.max(options.deadline - performance.now() - RECORDS_MS, 0)
  const clamp = (asked: number) => {
    const wanted = asked > 0 ? asked : options.defaultTimeoutMs
    return Math.floor(Math.min(wanted, options.maxTimeoutMs, timeLeft()))
  }
  return {
    defaultTimeoutMs: options.defaultTimeoutMs,
    run: (request) => launch({ ...request, timeoutMs: clamp(request.timeoutMs) }),
    start(request) {
      const id = `bash_${background.size + 1}`
      const command = createBackgroundCommand({ id, command: request.command }, (controls) =>
        launch({ ...request, ...controls, timeoutMs: timeLeft() }),
      )
      background.set(id, command)
      return command
    },
    background: (id) => background.get(id),
    listBackground: () => [...background.values()],
    async closeAll() {
      closing.abort()
      await Promise.all(running)
    },
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { CapturedStream, CommandRequest, CommandResult } from '../../contracts/commands.ts'
import { messageOf } from '../../contracts/errors.ts'
import { timerMs } from '../async/timerMs.ts'
import { captureStream, type StreamCapture } from './captureStream.ts'
import { endProcessGroup } from './endProcessGroup.ts'
import { type LaunchedChild, launchChild } from './launchChild.ts'

/** The time between SIGTERM and SIGKILL: after a timeout, and when somebody waits for the end of the run. */
const GRACE_MS = 2_000
const GRACE_AT_ABORT_MS = 1_500
/** How long pipes are read after the exit: of a child that exited, and of one that was ended. */
const DRAIN_MS = 2_000
const DRAIN_AFTER_KILL_MS = 300
const MAX_OUTPUT_BYTES = 1024 ** 3
const NOTHING: CapturedStream = { text: '', bytes: 0, isTruncated: false }

export type RunCommandOptions = {
  /** Stores output that is too long for a result; returns its path. */
  readonly putBlob?: (content: Uint8Array) => string
  /** The child, if it was started before; undefined if it was aborted. */
  readonly child?: Promise<LaunchedChild | undefined> | undefined
  /** Of both streams together; 1 GiB by default. */
  readonly maxOutputBytes?: number
  /** True: the output is for reading, without terminal escape sequences. */
  readonly isPlain?: boolean | undefined
}

type Outcome = Omit<CommandResult, 'durationMs' | 'timeoutMs'>

/**
 * Runs a child process in its own group, with exactly the environment of the request, without a terminal, and without
 * stdin unless there is `input`. Never throws and leaves nothing of the group behind. If the child has ended, was
 * aborted or ran out of time, the rest gets SIGTERM, at most two seconds, SIGKILL.
 */
export async function runCommand(request: CommandRequest, options: RunCommandOptions = {}): Promise<CommandResult> {
  const start = performance.now()
  const outcome = await attempt(request, options)
  return { ...outcome, timeoutMs: request.timeoutMs, durationMs: performance.now() - start }
}

async function attempt(request: CommandRequest, options: RunCommandOptions): Promise<Outcome> {
  const nothing = {
    ...{ exitCode: null, signal: null, isTimedOut: false, isAborted: false, stdout: NOTHING, stderr: NOTHING },
  }
  try {
    const child = await (options.child ?? launchChild(request))
    return child === undefined ? { ...nothing, isAborted: true } : await follow(child, request, options)
  } catch (error) {
    return { ...nothing, startError: messageOf(error) }
  }
}

async function follow(child: LaunchedChild, request: CommandRequest, options: RunCommandOptions): Promise<Outcome> {
  const fence = createFence(child.pid, request)
  let bytes = 0
  const capture = (name: 'stdout' | 'stderr') => {
    const stream = child[name]
    return (
      stream &&
      captureStream(stream, {
        putBlob: options.putBlob,
        isPlain: options.isPlain,
        onText: request.onOutput && ((text) => request.onOutput?.(text, name)),
        onBytes: (count) => {
          bytes += count
          if (bytes > (options.maxOutputBytes ?? MAX_OUTPUT_BYTES)) fence.end('output')
        },
      })
    )
  }
  const captured = { stdout: capture('stdout'), stderr: capture('stderr') }

  const ending = await child.exit
  await drain(Object.values(captured), fence)
  await fence.settle()
  child.forget()
  return {
    ...ending,
    ...fence.verdict(),
    stdout: captured.stdout?.finish() ?? NOTHING,
    stderr: captured.stderr?.finish() ?? NOTHING,
  }
}

type Cause = 'timeout' | 'abort' | 'output'

const GRACES: Readonly<Record<Cause, number>> = { timeout: GRACE_MS, abort: GRACE_AT_ABORT_MS, output: 0 }

/** Ends the group at the time limit, at the abort, or on request; the first cause is the verdict. */
function createFence(group: number, request: CommandRequest) {
  let cause: Cause | undefined
  let begin: ((ending: Promise<void>) => void) | undefined
  const ended = new Promise<void>((resolve) => {
    begin = resolve
  })
  const end = (why: Cause) => {
    if (cause !== undefined) return
    cause = why
    begin?.(endProcessGroup(group, GRACES[why]))
  }
  const onAbort = () => end('abort')
  request.signal.addEventListener('abort', onAbort, { once: true })
  if (request.signal.aborted) onAbort()
  const timer = setTimeout(() => end('timeout'), timerMs(request.timeoutMs))
  return {
    /** Settles when the group was ended; never if it was not. */
    ended,
    end,
    /** Ends the rest of the group. After that, there is no new cause. */
    async settle() {
      clearTimeout(timer)
      request.signal.removeEventListener('abort', onAbort)
      await (cause === undefined ? endProcessGroup(group, GRACE_MS) : ended)
    },
    verdict: () => ({
      isTimedOut: cause === 'timeout',
      isAborted: cause === 'abort',
      ...(cause === 'output' && { isOutputLimited: true }),
    }),
  }
}

/** A timer that does not keep this process alive. */
const UNHELD = { ref: false }

/** Pipes outlive the child if a grandchild holds them: they are read for a while, then closed. */
async function drain(streams: readonly (StreamCapture | undefined)[], fence: { ended: Promise<void> }): Promise<void> {
  const closed = Promise.all(streams.map((stream) => stream?.closed))
  await Promise.race([
    closed,
    delay(DRAIN_MS, undefined, UNHELD),
    fence.ended.then(() => delay(DRAIN_AFTER_KILL_MS, undefined, UNHELD)),
  ])
  for (const stream of streams) stream?.stop()
}

import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { execa as Execa } from 'execa'
import type { CapturedStream, CommandRequest, CommandResult } from '../../contracts/commands.ts'
import { messageOf } from '../../contracts/errors.ts'
import { type ChildStreams, openStreams } from '../fs/openStreams.ts'
import { captureStream, type StreamCapture } from './captureStream.ts'
import { endProcessGroup } from './endProcessGroup.ts'
import { noteGroup } from './liveGroups.ts'

/** The time between SIGTERM and SIGKILL: after a timeout, and when somebody waits for the end of the run. */
const GRACE_MS = 2_000
const GRACE_AT_ABORT_MS = 1_500
/** How long pipes are read after the exit: of a child that exited, and of one that was ended. */
const DRAIN_MS = 2_000
const DRAIN_AFTER_KILL_MS = 300
const MAX_OUTPUT_BYTES = 1024 ** 3
const MAX_TIMER_MS = 2 ** 31 - 1
const NOTHING: CapturedStream = { text: '', bytes: 0, isTruncated: false }

export type RunCommandOptions = {
  /** Stores output that is too long for a result; returns its path. */
  readonly putBlob?: (content: Uint8Array) => string
  /** Called once the child runs. Its process id is also its group id. */
  readonly onStart?: (pid: number) => void
  /** Of both streams together; 1 GiB by default. */
  readonly maxOutputBytes?: number
  /** True: the output is for reading, without terminal escape sequences. */
  readonly isPlain?: boolean | undefined
}

type Outcome = Omit<CommandResult, 'durationMs' | 'timeoutMs'>
type Child = Pick<ChildProcess, 'stdout' | 'stderr' | 'once'>

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
    exitCode: null,
    signal: null,
    isTimedOut: false,
    isAborted: false,
    stdout: NOTHING,
    stderr: NOTHING,
  }
  try {
    const { execa } = await import('execa')
    const streams = await openStreams(request.input, request.isJoined)
    if (request.signal.aborted) {
      streams.handOver()
      streams.discard()
      return { ...nothing, isAborted: true }
    }
    const child = launch(execa, request, streams)
    if (child.pid !== undefined) return await follow(child, child.pid, { request, options, streams })
    streams.discard()
    const { originalMessage } = await child
    return { ...nothing, startError: startProblem(originalMessage ?? `${request.file} could not be started`, request) }
  } catch (error) {
    return { ...nothing, startError: startProblem(messageOf(error), request) }
  }
}

/** Linux limits one argument to 128 kB, whatever the limit for all: execve(2). */
function startProblem(message: string, { args }: CommandRequest): string {
  if (!message.includes('E2BIG')) return message
  const longest = Math.max(0, ...args.map((arg) => Buffer.byteLength(arg)))
  return `it is too long for the system (${Math.ceil(longest / 1000)} kB; it takes 131): write it to a file, and run that`
}

function launch(execa: typeof Execa, request: CommandRequest, { stdin, stdout, stderr, handOver }: ChildStreams) {
  try {
    return execa(request.file, request.args, {
      cwd: request.cwd,
      env: { ...request.env },
      extendEnv: false,
      detached: true,
      reject: false,
      buffer: false,
      encoding: 'buffer',
      // The types name 3 to 9 for all descriptors above the standard ones.
      stdin: stdin as 3 | 'ignore',
      stdout: stdout as 3 | 'pipe',
      stderr: stderr as 3 | 'pipe',
    })
  } finally {
    handOver()
  }
}

type Started = {
  readonly request: CommandRequest
  readonly options: RunCommandOptions
  readonly streams: ChildStreams
}

async function follow(child: Child, pid: number, { request, options, streams }: Started): Promise<Outcome> {
  preferForMemoryKill(pid)
  options.onStart?.(pid)
  const forget = noteGroup(pid)
  const fence = createFence(pid, request)
  const exit = new Promise<Pick<Outcome, 'exitCode' | 'signal'>>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  let bytes = 0
  const capture = (name: 'stdout' | 'stderr') => {
    const stream = streams.readers[name] ?? child[name]
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
  const captured = { stdout: capture('stdout') ?? undefined, stderr: capture('stderr') ?? undefined }

  const ending = await exit
  await drain(Object.values(captured), fence)
  await fence.settle()
  forget()
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
  const timer = setTimeout(() => end('timeout'), Math.min(Math.max(request.timeoutMs, 0), MAX_TIMER_MS))
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

/** Pipes outlive the child if a grandchild holds them: they are read for a while, then closed. */
async function drain(streams: readonly (StreamCapture | undefined)[], fence: { ended: Promise<void> }): Promise<void> {
  const closed = Promise.all(streams.map((stream) => stream?.closed))
  await Promise.race([closed, pause(DRAIN_MS), fence.ended.then(() => pause(DRAIN_AFTER_KILL_MS))])
  for (const stream of streams) stream?.stop()
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref())
}

/** When memory runs out, the kernel should end the child before this process: proc(5), `oom_score_adj`. */
function preferForMemoryKill(pid: number): void {
  try {
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '500')
  } catch {
    // It has already ended, or the container forbids it: nothing depends on it.
  }
}

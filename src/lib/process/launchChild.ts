import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { CommandRequest, CommandResult } from '../../contracts/commands.ts'
import { messageOf } from '../../contracts/errors.ts'
import { noteGroup } from './endProcessGroup.ts'
import { type ChildStreams, openStreams } from './openStreams.ts'

/** A child in a group of its own, of which nothing has been read yet. */
export type LaunchedChild = Readonly<Awaited<ReturnType<typeof spawn>>>

export type LaunchRequest = Pick<CommandRequest, 'file' | 'args' | 'cwd' | 'env' | 'isJoined' | 'signal'> & {
  /** Its stdin: a text, or a pipe from this process; nothing by default. */
  readonly input?: string | { readonly isPipe: true }
}

/** Starts a child without a terminal; undefined if it was aborted before. Throws with a message for people. */
export async function launchChild(request: LaunchRequest): Promise<LaunchedChild | undefined> {
  try {
    const { execa } = await import('execa')
    const { input, isJoined } = request
    const streams = await openStreams(typeof input === 'string' ? input : undefined, isJoined)
    if (request.signal.aborted) {
      streams.handOver()
      streams.discard()
      return undefined
    }
    return await spawn(execa, request, streams)
  } catch (error) {
    throw new Error(startProblem(messageOf(error), request), { cause: error })
  }
}

async function spawn(
  execa: typeof import('execa').execa,
  request: LaunchRequest,
  { stdin, stdout, stderr, readers, handOver, discard }: ChildStreams,
) {
  const launch = () => {
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
        stdin: typeof request.input === 'object' ? 'pipe' : (stdin as 3 | 'ignore'),
        stdout: stdout as 3 | 'pipe',
        stderr: stderr as 3 | 'pipe',
      })
    } finally {
      handOver()
    }
  }
  const child = launch()
  const { pid } = child
  if (pid === undefined) {
    discard()
    const { originalMessage } = await child
    throw new Error(originalMessage ?? `${request.file} could not be started`)
  }
  preferForMemoryKill(pid)
  return {
    /** Also the id of its group. */
    pid,
    exit: exitOf(child),
    stdout: readers.stdout ?? child.stdout ?? undefined,
    stderr: readers.stderr ?? child.stderr ?? undefined,
    /** Only if it is a pipe. */
    stdin: child.stdin ?? undefined,
    /** To be called when the group has ended. */
    forget: noteGroup(pid),
  }
}

function exitOf(child: Pick<ChildProcess, 'once'>): Promise<Pick<CommandResult, 'exitCode' | 'signal'>> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
}

/** Linux limits one argument to 128 kB, whatever the limit for all: execve(2). */
function startProblem(message: string, { args }: LaunchRequest): string {
  if (!message.includes('E2BIG')) return message
  const longest = Math.max(0, ...args.map((arg) => Buffer.byteLength(arg)))
  return `it is too long for the system (${Math.ceil(longest / 1000)} kB; the limit is 131 kB): write it to a file, and run that`
}

/** When memory runs out, the kernel should end the child before this process: proc(5), `oom_score_adj`. */
function preferForMemoryKill(pid: number): void {
  try {
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '500')
  } catch {
    // It has already ended, or the container forbids it: nothing depends on it.
  }
}

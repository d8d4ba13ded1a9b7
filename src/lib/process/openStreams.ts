import { execFile } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeOwned, shortLivedFolder } from '../fs/ownedFolder.ts'

export type ChildStreams = Awaited<ReturnType<typeof openStreams>>

/**
 * The standard streams of a child that is about to start. It can open them again by name, such as `/dev/stderr`. Without
 * `input` there is no stdin. Where a stream is `pipe`, the child's own object has it. Joined streams share one pipe; if
 * the system has no such pipe, they stay two.
 */
export async function openStreams(input: string | undefined, isJoined = false) {
  const stdout = await openPipe()
  const isOne = isJoined && stdout !== undefined
  const stderr = isOne ? undefined : await openPipe()
  const readers = { stdout: stdout?.stream, stderr: stderr?.stream }
  /** Closes the read side if no child was started. */
  const discard = () => Object.values(readers).forEach((reader) => void reader?.destroy())
  const ends = [stdout?.end, stderr?.end]
  /** Closes what only the child needs; otherwise the streams never end. */
  const handOver = () => ends.splice(0).forEach((end) => void (end === undefined || closeSync(end)))
  try {
    const stdin = input === undefined ? undefined : openInput(input)
    ends.push(stdin)
    const common = { stdout: stdout?.end ?? 'pipe', stderr: (isOne ? stdout.end : stderr?.end) ?? 'pipe' } as const
    return { ...common, stdin: stdin ?? 'ignore', readers, handOver, discard }
  } catch (error) {
    handOver()
    discard()
    throw error
  }
}

/** A text as stdin, in an unlinked file: unlike Node's own, it can be opened as `/dev/stdin`. The caller closes it. */
export function openInput(text: string): number {
  const folder = shortLivedFolder('kode-run-input-')
  try {
    const file = join(folder, 'stdin')
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
    return openSync(file, 'r')
  } finally {
    removeOwned(folder)
  }
}

type Pair = { readonly readEnd: number; readonly writeEnd: number }

const PROGRAMS = ['/usr/bin/mkfifo', '/bin/mkfifo']
/** Created in advance, because creating pipes takes a process. */
const BATCH = 16
const ONE_COMMAND = 2

const ready: Pair[] = []
let making: Promise<void> | undefined

/**
 * A kernel pipe to a child: `end` is for its standard stream, and is closed here once the child has it. Node's own
 * streams for children are sockets, which cannot be opened again by name: `echo … > /dev/stderr` fails on them.
 * Undefined where pipes do not help (macOS) or `mkfifo` is missing.
 */
export async function openPipe() {
  if (process.platform !== 'linux') return undefined
  while (ready.length === 0) {
    try {
      await makeMore()
    } catch {
      // No `mkfifo`, no space, or no descriptors: the streams are sockets then.
      return undefined
    }
  }
  const pair = ready.pop()
  // The next command finds them made.
  if (ready.length < ONE_COMMAND) makeMore().catch(() => undefined)
  return pair && { end: pair.writeEnd, stream: new Socket({ fd: pair.readEnd, readable: true, writable: false }) }
}

function makeMore(): Promise<void> {
  making ??= makePairs().finally(() => {
    making = undefined
  })
  return making
}

/** Named pipes that are opened and have lost their names when this returns. */
async function makePairs(): Promise<void> {
  const program = PROGRAMS.find((path) => existsSync(path))
  if (program === undefined) throw new Error('there is no mkfifo')
  const folder = shortLivedFolder('kode-run-pipes-')
  try {
    const paths = Array.from({ length: BATCH }, (_, index) => join(folder, String(index)))
    await promisify(execFile)(program, ['-m', '600', ...paths], { env: {} })
    for (const path of paths) ready.push(openPair(path))
  } finally {
    removeOwned(folder)
  }
}

function openPair(path: string): Pair {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) }
  } catch (error) {
    closeSync(readEnd)
    throw error
  }
}

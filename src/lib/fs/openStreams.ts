import { closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { openPipe } from '../process/openPipe.ts'
import { openInput } from './openInput.ts'

/** The standard streams of a child that is about to start. */
export type ChildStreams = {
  readonly stdin: number | 'ignore'
  /** `pipe`: the child's own object has the stream. */
  readonly stdout: number | 'pipe'
  readonly stderr: number | 'pipe'
  readonly readers: { readonly stdout: Readable | undefined; readonly stderr: Readable | undefined }
  /** Closes what only the child needs; otherwise the streams never end. */
  handOver(): void
  /** Closes the read side if no child was started. */
  discard(): void
}

/**
 * Streams that a child can open again by name, such as `/dev/stderr`; without `input` there is no stdin. Joined streams
 * share one pipe; if the system has no such pipe, they stay two.
 */
export async function openStreams(input: string | undefined, isJoined = false): Promise<ChildStreams> {
  const stdout = await openPipe()
  const isOne = isJoined && stdout !== undefined
  const stderr = isOne ? undefined : await openPipe()
  const readers = { stdout: stdout?.stream, stderr: stderr?.stream }
  const discard = () => Object.values(readers).forEach((reader) => void reader?.destroy())
  const ends = [stdout?.end, stderr?.end]
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

import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a reader may take for the next piece. */
const PATIENCE_MS = 5_000
const LOOK_MS = 20

/** A connection to the reader of a pipe. */
export type NamedPipe = { write(text: string): Promise<void> }

/**
 * A pipe with a reader, kept open so that the reader waits for later writes. Throws if nobody reads it: nothing here
 * waits for a reader. A reader that stops reading becomes an error after a while.
 */
export function openNamedPipe(path: string): NamedPipe {
  const descriptor = openForReader(path)
  return {
    async write(text) {
      try {
        await writeAll(descriptor, Buffer.from(text))
      } finally {
        closeSync(descriptor)
      }
    },
  }
}

function openForReader(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error
    throw new Error('it is a pipe that nobody reads', { cause: error })
  }
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  let at = 0
  let end = performance.now() + PATIENCE_MS
  while (at < bytes.length) {
    const written = tryWrite(descriptor, bytes.subarray(at))
    at += written
    if (written > 0) end = performance.now() + PATIENCE_MS
    else if (performance.now() > end) throw new Error('the reader of the pipe does not read')
    else await sleep(LOOK_MS)
  }
}

/** The number of bytes written; 0 if the pipe is full. */
function tryWrite(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw error
  }
}

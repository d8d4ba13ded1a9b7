import type { Writable } from 'node:stream'

export type WriterOptions = {
  /** The bytes that may wait for a slow reader; more is dropped and counted. Without it, nothing is dropped. */
  readonly maxWaiting?: number
}

/**
 * A writer to stdout or stderr that survives a reader that is slow or has gone away. Errors of the stream, which it does
 * not own, end its output, never the process.
 */
export function createWriter(stream: Writable, { maxWaiting }: WriterOptions = {}) {
  let isClosed = false
  let failure: Error | undefined
  let dropped = 0
  stream.on('error', (error) => {
    isClosed = true
    if (!isReaderGone(error, stream)) failure ??= error
  })
  /** Has no effect after the other end is closed. */
  const write = (text: string): void => {
    if (isClosed || stream.destroyed || stream.writableEnded) return
    if (maxWaiting !== undefined && stream.writableLength > maxWaiting) {
      dropped += 1
      return
    }
    if (dropped > 0) stream.write(`│ … ${dropped} lines left out: the log was not read fast enough …\n`)
    dropped = 0
    stream.write(text)
  }
  /** Resolves when the system has accepted everything, or no longer can. */
  const drain = async (): Promise<void> => {
    if (isClosed || stream.destroyed || stream.writableEnded) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stream.off('close', done).off('error', done)
        resolve()
      }
      stream.on('close', done).on('error', done).write('', done)
    })
  }
  return {
    write,
    drain,
    /** True after the other end was closed (`… | head -1`). */
    isClosed: () => isClosed || stream.destroyed,
    /** Why a text could not be written (a full disk); undefined if only the reader has gone. */
    failure: () => failure,
  }
}

const GONE: readonly (string | undefined)[] = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

/** A pipe without a reader, or a terminal that was closed. */
function isReaderGone({ code }: NodeJS.ErrnoException, stream: Writable): boolean {
  return GONE.includes(code) || (code === 'EIO' && Reflect.get(stream, 'isTTY') === true)
}

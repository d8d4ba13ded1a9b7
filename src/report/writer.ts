import type { Writable } from 'node:stream'

/** A way to stdout or stderr that a reader who went away, or one who is slow, cannot break. */
export type Writer = {
  /** Hands the text on; without effect once the other end is closed. */
  write(text: string): void
  /** True after the other end was closed (`… | head -1`). */
  isClosed(): boolean
  /** Why a text could not be kept (a full disk); undefined where only the reader went away. */
  failure(): Error | undefined
  /** Resolves when everything is handed to the system, or can no longer be. */
  drain(): Promise<void>
}

export type WriterOptions = {
  /** Bytes that may wait for a slow reader; what comes above is dropped and counted. Without it nothing is dropped. */
  readonly mostWaiting?: number
}

/** A writer to a stream that it does not own. Errors of the stream end its output, never the process. */
export function createWriter(stream: Writable, { mostWaiting }: WriterOptions = {}): Writer {
  let isClosed = false
  let failure: Error | undefined
  let dropped = 0
  stream.on('error', (error) => {
    isClosed = true
    if (!isReaderGone(error, stream)) failure ??= error
  })
  const write = (text: string): void => {
    if (isClosed || stream.destroyed || stream.writableEnded) return
    if (mostWaiting !== undefined && stream.writableLength > mostWaiting) {
      dropped += 1
      return
    }
    if (dropped > 0) stream.write(`│ … ${dropped} lines left out: the log was not read fast enough …\n`)
    dropped = 0
    stream.write(text)
  }
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
  return { write, isClosed: () => isClosed || stream.destroyed, failure: () => failure, drain }
}

const GONE: readonly (string | undefined)[] = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

/** A pipe that nobody reads any more, or a terminal that was hung up. */
function isReaderGone({ code }: NodeJS.ErrnoException, stream: Writable): boolean {
  return GONE.includes(code) || (code === 'EIO' && Reflect.get(stream, 'isTTY') === true)
}

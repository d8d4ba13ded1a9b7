import type { FileHandle } from 'node:fs/promises'

/** One line of a file, without its end. `text` is missing if the line was longer than the limit. */
export type Line = {
  /** 1-based. */
  readonly line: number
  /** In bytes from the start of the file. */
  readonly offset: number
  readonly bytes: Buffer | undefined
  readonly length: number
  /** False for a last line without a line end. */
  readonly isEnded: boolean
}

const CHUNK = 256 * 1024
const LINE_FEED = 0x0a

/** The lines of an open file in order, in memory that does not grow with the file; longer lines come without bytes. */
export async function* readLines(file: FileHandle, longestLine: number): AsyncGenerator<Line, void, undefined> {
  const buffer = Buffer.alloc(CHUNK)
  let line = 1
  let offset = 0
  let parts: Buffer[] = []
  let length = 0
  const keep = (part: Buffer): void => {
    length += part.length
    if (length > longestLine) parts = []
    else parts.push(Buffer.from(part))
  }
  const take = (isEnded: boolean): Line => {
    const taken = { line, offset, bytes: length > longestLine ? undefined : Buffer.concat(parts), length, isEnded }
    line += 1
    offset += length + 1
    parts = []
    length = 0
    return taken
  }
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK)
    if (bytesRead === 0) break
    let start = 0
    for (let end = buffer.indexOf(LINE_FEED); end !== -1 && end < bytesRead; end = buffer.indexOf(LINE_FEED, start)) {
      keep(buffer.subarray(start, end))
      yield take(true)
      start = end + 1
    }
    keep(buffer.subarray(start, bytesRead))
  }
  if (length > 0) yield take(false)
}

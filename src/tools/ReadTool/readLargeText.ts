import { decodeText } from '../../files/decodeText.ts'
import { fileError } from '../../files/toFileError.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { type FileAccess, FileError } from '../../Tool.ts'

const CHUNK_BYTES = 1024 * 1024
/** How far into a file to search for lines. */
const MAX_SCAN_BYTES = 256 * CHUNK_BYTES
/** Enough for the part of a line that is shown. */
const MAX_LINE_BYTES = 16 * 1024

/**
 * Lines of a file that is too large for memory. Reads in chunks from the start, keeps only the requested lines, and
 * gives up after a maximum size. `isEnd` is true if the last line is the file's last.
 */
export async function readLargeText(
  files: FileAccess,
  path: string,
  range: { readonly start: number; readonly limit: number },
  signal: AbortSignal,
) {
  const collector = createCollector(range.start, range.limit)
  for (let offset = 0; offset < MAX_SCAN_BYTES; ) {
    signal.throwIfAborted()
    const { bytes } = await files.read(path, { offset, maxBytes: CHUNK_BYTES })
    if (offset === 0) requireByteText(path, bytes)
    if (bytes.length === 0) return { lines: collector.finish(), isEnd: true }
    if (collector.add(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) {
      return { lines: collector.finish(), isEnd: false }
    }
    offset += bytes.length
  }
  const lines = collector.finish()
  if (lines.length > 0) return { lines, isEnd: false }
  throw new FileError(
    'too_large',
    `line ${range.start} of ${visibleName(path)} lies beyond ${MAX_SCAN_BYTES} bytes; use Grep or Bash`,
  )
}

/** Throws unless the encoding has one-byte line ends: chunks of others cannot be split here. */
function requireByteText(path: string, bytes: Uint8Array): void {
  const format = decodeText(bytes.subarray(0, 8000))?.format
  if (!format) throw fileError('not_regular', path, 'is a binary file; only a command can read it')
  if (format.encoding.startsWith('utf-16'))
    throw fileError('too_large', path, 'is too large for UTF-16; only a command can read it')
}

/** Takes chunks of a file and keeps the requested lines, each only as far as it is shown. */
function createCollector(start: number, limit: number) {
  const lines: string[] = []
  let number = 1
  let pieces: Buffer[] = []
  let kept = 0
  let isOpen = false
  const keep = (piece: Buffer) => {
    if (number < start) return
    isOpen = true
    const part = piece.subarray(0, MAX_LINE_BYTES - kept)
    pieces.push(Buffer.from(part))
    kept += part.length
  }
  const endLine = () => {
    if (number >= start) lines.push(Buffer.concat(pieces).toString('utf8').replace(/\r$/, ''))
    number += 1
    pieces = []
    kept = 0
    isOpen = false
  }
  return {
    /** True once nothing more is needed. */
    add(chunk: Buffer): boolean {
      let from = 0
      while (lines.length < limit) {
        const end = chunk.indexOf(10, from)
        if (end === -1) {
          if (from < chunk.length) keep(chunk.subarray(from))
          return false
        }
        keep(chunk.subarray(from, end))
        endLine()
        from = end + 1
      }
      return true
    },
    finish(): readonly string[] {
      if (isOpen && lines.length < limit) endLine()
      return lines
    },
  }
}

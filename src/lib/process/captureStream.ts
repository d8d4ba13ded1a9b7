import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import type { CapturedStream } from '../../contracts/commands.ts'
import { removeOwned, shortLivedFolder } from '../fs/ownedFolder.ts'

/** How much of each end of a long output is kept. */
const END_BYTES = 32_000

type CaptureOptions = {
  /** Where a long output is stored as a whole; otherwise only head and tail are kept. */
  readonly putBlob?: ((content: Uint8Array) => string) | undefined
  readonly onText?: ((text: string) => void) | undefined
  readonly onBytes?: (count: number) => void
  /** True: removes terminal escape sequences, from the text and from what is stored. */
  readonly isPlain?: boolean | undefined
}

export type StreamCapture = ReturnType<typeof captureStream>

/**
 * Reads a child's stream in bounded memory. No character is split between two chunks or at the cut of a long output, of
 * which the first and the last 32 kB are kept.
 */
export function captureStream(stream: Readable, options: CaptureOptions) {
  const ends = createEnds()
  const decoder = new StringDecoder()
  const spill = options.putBlob && createSpill(options.putBlob, 2 * END_BYTES)
  const plain = options.isPlain === true ? stripEscapes() : undefined
  const add = (chunk: Buffer) => {
    ends.add(chunk)
    spill?.add(chunk)
    options.onText?.(decoder.write(chunk))
  }
  stream.on('data', (chunk: Buffer) => {
    add(plain?.write(chunk) ?? chunk)
    options.onBytes?.(chunk.length)
  })
  const closed = finished(stream).catch(() => undefined)
  return {
    /** Settles when the stream has ended or was stopped. */
    closed,
    /** Stops reading; keeps what was captured. */
    stop: () => void stream.destroy(),
    /** The captured output; called once, after `closed`. */
    finish() {
      if (plain !== undefined) add(plain.end())
      const rest = decoder.end()
      if (rest !== '') options.onText?.(rest)
      const blob = spill?.store()
      return { ...ends.read(), ...(blob !== undefined && { blob }) }
    },
  }
}

/** The first and the last bytes of a stream of any length. */
function createEnds() {
  const head: Buffer[] = []
  const tail: Buffer[] = []
  let headBytes = 0
  let tailBytes = 0
  let bytes = 0
  return {
    add(chunk: Buffer) {
      bytes += chunk.length
      const forHead = chunk.subarray(0, END_BYTES - headBytes)
      if (forHead.length > 0) head.push(forHead)
      headBytes += forHead.length
      const forTail = chunk.subarray(forHead.length)
      if (forTail.length > 0) tail.push(forTail)
      tailBytes += forTail.length
      while (tailBytes - (tail[0]?.length ?? 0) >= END_BYTES) tailBytes -= tail.shift()?.length ?? 0
    },
    read(): Omit<CapturedStream, 'blob'> {
      if (bytes <= 2 * END_BYTES) {
        return { text: Buffer.concat([...head, ...tail]).toString(), bytes, isTruncated: false }
      }
      const first = new StringDecoder().write(Buffer.concat(head))
      const last = fromCharacter(Buffer.concat(tail).subarray(-END_BYTES)).toString()
      const missing = bytes - 2 * END_BYTES
      return { text: `${first}\n[… ${missing} bytes left out …]\n${last}`, bytes, isTruncated: true }
    },
  }
}

/** Without the rest of a character that started earlier: at most three continuation bytes (RFC 3629). */
function fromCharacter(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80)
  return bytes.subarray(Math.max(start, 0))
}

/** How much of an output is stored. */
export const MAX_STORED = 64 * 1024 * 1024

/**
 * Takes a stream in chunks. Stores its first 64 MiB as one blob, if it is longer than what is kept anyway. Holds at most
 * `threshold` bytes in memory; the rest waits in an unlinked temporary file. A full disk costs the blob, never the command.
 */
export function createSpill(putBlob: (content: Uint8Array) => string, threshold: number) {
  let waiting: Buffer[] = []
  let bytes = 0
  let file: ReturnType<typeof openNameless> | undefined
  let hasFailed = false

  const flush = () => {
    try {
      file ??= openNameless()
      for (const chunk of waiting) appendFileSync(file.writer, chunk)
    } catch {
      hasFailed = true
    }
    waiting = []
  }
  return {
    add(chunk: Buffer) {
      if (hasFailed || bytes >= MAX_STORED) return
      const part = chunk.subarray(0, MAX_STORED - bytes)
      bytes += part.length
      waiting.push(part)
      if (bytes > threshold) flush()
    },
    /** The blob's path; undefined if nothing had to be stored or the disk failed. Called once. */
    store() {
      if (file === undefined) return undefined
      try {
        return hasFailed ? undefined : putBlob(readFileSync(file.reader))
      } catch {
        return undefined
      } finally {
        for (const descriptor of Object.values(file)) closeSync(descriptor)
      }
    },
  }
}

/** Open, but already unlinked: nothing is left behind, however the process ends. */
function openNameless() {
  const folder = shortLivedFolder('kode-run-output-')
  try {
    const path = join(folder, 'output')
    return { writer: openSync(path, 'wx', 0o600), reader: openSync(path, 'r') }
  } finally {
    removeOwned(folder)
  }
}

const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g

/** A sequence at the end of the input that may continue. */
const BEGUN = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/

/** Longer ones are not escape sequences: their text is shown unchanged. */
const LONGEST = 4_096

/**
 * Removes terminal escape sequences from a stream of bytes: colors, cursor movements, titles, links. Apart from the
 * text of titles, all their bytes are ASCII, so nothing else is touched in any encoding.
 */
export function stripEscapes() {
  let kept = ''
  return {
    /** Returns the bytes that are certain so far; an incomplete sequence is held back. */
    write(chunk: Buffer) {
      if (kept === '' && !chunk.includes(0x1b)) return chunk
      const text = (kept + chunk.toString('latin1')).replace(ESCAPES, '')
      const begin = BEGUN.exec(text.slice(-LONGEST))?.[0].length ?? 0
      kept = text.slice(text.length - begin)
      return Buffer.from(text.slice(0, text.length - begin), 'latin1')
    },
    /** Returns what is still held back at the end of the stream. */
    end() {
      const rest = Buffer.from(kept, 'latin1')
      kept = ''
      return rest
    },
  }
}

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { TranscriptRecord } from '../../contracts/events.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { readLists } from './bodies.ts'
import { hashOfLine } from './hashOfLine.ts'
import { type Line, readLines } from './readLines.ts'
import { TRANSCRIPT_VERSION } from './transcript.ts'

/**
 * A place where the file is not a list of records. `harmless`: still readable (a byte order mark, CRLF). `tail`: the
 * last line, as a kill leaves it. `middle`: only a change of the file explains it.
 */
export type Damage = {
  readonly kind: 'damage'
  readonly severity: 'harmless' | 'tail' | 'middle'
  readonly line: number
  readonly offset: number
  readonly reason: string
}

/** A valid record, its position, and the hash that the next one must name. */
export type ReadRecord = {
  readonly kind: 'record'
  readonly record: TranscriptRecord
  readonly line: number
  readonly offset: number
  readonly hash: string
}

const LONGEST_LINE = 16 * 1024 * 1024

/**
 * The records of a transcript in order, and each damage at its position. Memory does not grow with the file. Keeps
 * records of unknown types. Throws `bad_input` if there is no regular file to read.
 */
export async function* readTranscript(
  path: string,
  { longestLine = LONGEST_LINE }: { readonly longestLine?: number } = {},
): AsyncGenerator<ReadRecord | Damage, void, undefined> {
  const file = await openRegular(path)
  try {
    const seen: Seen = { run: null, hasCarriageReturn: false }
    let held: Damage | null = null
    for await (const line of readLines(file, longestLine)) {
      if (held !== null) yield { ...held, severity: 'middle' }
      held = null
      for (const item of itemsOf(line, seen)) {
        if (item.kind === 'damage' && item.severity === 'tail') held = item
        else if (item.kind === 'damage') yield item
        else yield* withLists(item, dirname(path))
      }
    }
    if (held !== null) yield held
  } finally {
    await file.close()
  }
}

/** The record with the lists that were too long for its line. */
function* withLists(item: ReadRecord, folder: string): Generator<ReadRecord | Damage> {
  try {
    const record = readLists(item.record, (sha256) => readBlob(join(folder, 'blobs'), sha256))
    yield { ...item, record }
  } catch (error) {
    const { line, offset } = item
    yield { kind: 'damage', severity: 'middle', line, offset, reason: `a list is not whole: ${messageOf(error)}` }
    yield item
  }
}

/** A transcript comes from anywhere: its names are checked before anything is opened. */
function readBlob(folder: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('it names no blob')
  const bytes = readRegular(join(folder, sha256))
  if (bytes === undefined) throw new Error(`blobs/${sha256} is missing`)
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes.toString('utf8')
  throw new Error(`blobs/${sha256} was changed`)
}

async function openRegular(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 'ENOENT'
    const why = isMissing ? 'does not exist' : `cannot be read: ${messageOf(error)}`
    throw new RunError('bad_input', `the transcript ${path} ${why}`, { cause: error })
  }
  throw new RunError('bad_input', `the transcript ${path} is not a regular file`)
}

type Seen = { run: string | null; hasCarriageReturn: boolean }

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const CARRIAGE_RETURN = 0x0d

/** The content of a line. An unreadable line counts as the tail until another line follows. */
function* itemsOf(line: Line, seen: Seen): Generator<ReadRecord | Damage> {
  const { line: number, offset } = line
  const damage = (severity: Damage['severity'], reason: string): Damage => {
    return { kind: 'damage', severity, line: number, offset, reason }
  }
  if (line.bytes === undefined) {
    yield damage('tail', `a line of ${line.length} bytes is longer than any record`)
    return
  }
  let bytes = line.bytes
  if (number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) {
    bytes = bytes.subarray(3)
    yield damage('harmless', 'the file begins with a byte order mark')
  }
  if (bytes.at(-1) === CARRIAGE_RETURN) {
    bytes = bytes.subarray(0, -1)
    if (!seen.hasCarriageReturn) yield damage('harmless', 'lines end in CR LF')
    seen.hasCarriageReturn = true
  }
  if (bytes.length === 0) {
    yield damage('harmless', 'an empty line')
    return
  }
  const record = parseRecord(bytes)
  if (typeof record === 'string') {
    yield damage('tail', record)
    return
  }
  seen.run ??= record.run
  if (record.run !== seen.run) yield damage('middle', `a record of another run, ${record.run}`)
  yield { kind: 'record', record, line: number, offset, hash: hashOfLine(bytes) }
}

/** The record in a line, or why there is none. */
function parseRecord(bytes: Buffer): TranscriptRecord | string {
  if (bytes.includes(0)) return 'the line has NUL bytes'
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (error) {
    return error instanceof SyntaxError ? 'the line is not whole JSON' : 'the line is not UTF-8'
  }
  if (!isRecord(value)) return 'the line is JSON, but not a record of a run'
  return value.v === TRANSCRIPT_VERSION
    ? value
    : `a record of version ${value.v}; this reader knows ${TRANSCRIPT_VERSION}`
}

function isRecord(value: unknown): value is TranscriptRecord {
  if (typeof value !== 'object' || value === null) return false
  const { type, run, seq, prev, v, message } = value as { readonly [key: string]: unknown }
  const isStamped = typeof run === 'string' && Number.isSafeInteger(seq) && typeof prev === 'string'
  const isMessage = type === 'assistant' || type === 'user'
  return typeof type === 'string' && isStamped && typeof v === 'number' && (!isMessage || hasContent(message))
}

function hasContent(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'content' in message && Array.isArray(message.content)
}

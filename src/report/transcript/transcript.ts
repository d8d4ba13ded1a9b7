import { randomBytes } from 'node:crypto'
import { closeSync, constants, fdatasyncSync, ftruncateSync, lstatSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf, orFail, RunError } from '../../contracts/errors.ts'
import type { RunEvent, TranscriptRecord } from '../../contracts/events.ts'
import { makeFolder, syncFolder } from '../../lib/fs/folders.ts'
import { orElse } from '../../lib/orElse.ts'
import type { Redactor } from '../../lib/secrets/redact.ts'
import { createBlobStore } from './blobStore.ts'
import { moveBodies } from './bodies.ts'
import { createSessionStamp, type SessionStampOptions } from './createSessionStamp.ts'
import { hashOfLine } from './hashOfLine.ts'

/** The version of the record format. A new number changes the meaning of a field and needs a converter. */
export const TRANSCRIPT_VERSION = 1

/** `prev` of a first record. */
export const NO_PREVIOUS = '0'.repeat(64)

const LONGEST_LINE = 1024 * 1024

/** The record of a run on disk. */
export type Transcript = ReturnType<typeof openTranscript>

export type TranscriptOptions = {
  /** A file in an existing folder, or the folder for `<run>.jsonl`, which is created. Absolute. */
  readonly place: { readonly path: string } | { readonly folder: string }
  readonly run: string
  readonly sessionId: string
  readonly redactor: Redactor
  /** The prices of answers; without it, no record has a price. */
  readonly costOf?: SessionStampOptions['costOf']
  /** The maximum length of a line in bytes; larger bodies go to blobs. */
  readonly longestLine?: number
  readonly now?: () => Date
  readonly monotonic?: () => number
}

/**
 * A new transcript, append-only, for its owner alone. Throws `cannot_create`: an existing file, a link or a FIFO is
 * never opened. Records are chained: `prev` is the SHA-256 of the previous line without its line end.
 */
export function openTranscript(options: TranscriptOptions) {
  const { place, run, sessionId, redactor, longestLine = LONGEST_LINE } = options
  const { now = () => new Date(), monotonic = () => performance.now(), costOf = () => null } = options
  const path = 'path' in place ? place.path : join(madeFolder(place.folder), `${run}.jsonl`)
  const file = createFile(path)
  const reserve = reserveDiskSpace(dirname(path))
  const blobs = createBlobStore(join(dirname(path), 'blobs'), redactor.text)
  const started = monotonic()
  const sessionFields = createSessionStamp({ sessionId, costOf })
  let seq = 0
  let prev = NO_PREVIOUS
  let size = 0
  let failure: RunError | undefined

  const stamp = (event: RunEvent): TranscriptRecord => {
    const mono_ms = Math.round(monotonic() - started)
    const ts = now().toISOString()
    const safe = redactor.value(event)
    const own = { v: TRANSCRIPT_VERSION, run, session_id: sessionId, seq: seq + 1, ts, mono_ms }
    return { ...own, ...(isPassing(event) ? {} : sessionFields(safe, ts)), ...safe, prev } as TranscriptRecord
  }
  /**
   * Writes one event without its secrets, and returns it as it is on disk. When this returns, the record survives the
   * end of the process. What only passes (`tool_progress`, `activity`) is returned but not written. Throws `io_error`.
   */
  const append = (event: RunEvent): TranscriptRecord => {
    if (failure !== undefined) throw failure
    const whole = stamp(event)
    if (isPassing(event)) return whole
    try {
      const { record, line } = moveBodies(whole, blobs, longestLine)
      writeLine(file, line, size)
      if (mustBeOnDisk(event)) fdatasyncSync(file)
      size += Buffer.byteLength(line) + 1
      seq += 1
      prev = hashOfLine(line)
      return record
    } catch (error) {
      failure = new RunError('io_error', `the transcript ${path} cannot be written: ${messageOf(error)}`, {
        cause: error,
      })
      throw failure
    }
  }
  /** Writes the end record, even if the disk was full before: space was reserved for it. Throws `io_error`. */
  const appendLast = (event: RunEvent): TranscriptRecord => {
    reserve.release()
    // Where the written part of a record stays, the end record follows a torn line, which readers report.
    if (failure !== undefined) orElse(undefined, () => ftruncateSync(file, size))
    failure = undefined
    return append(event)
  }
  const close = (): void => {
    reserve.release()
    closeSync(file)
  }
  return {
    ...{ path, blobs, append, appendLast, close },
    /** The record of an event, for readers, if the disk is full. */
    unwritten: stamp,
    /** SHA-256 of the last line. A copy kept elsewhere distinguishes a cut transcript from a complete one. */
    head: () => prev,
  }
}

function madeFolder(folder: string): string {
  try {
    makeFolder(folder)
    if (lstatSync(folder).isDirectory()) return folder
  } catch (error) {
    const why = `the transcript folder ${folder} cannot be created: ${messageOf(error)}; name another place with --transcript`
    throw new RunError('cannot_create', why, { cause: error })
  }
  throw new RunError('cannot_create', `the transcript folder ${folder} is a link; name the folder itself`)
}

function createFile(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  return orFail('cannot_create', `the transcript ${path} cannot be created`, () => {
    try {
      const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
      syncFolder(dirname(path))
      return file
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'ENOENT') throw new Error(`there is no folder ${dirname(path)}`, { cause })
      if (code !== 'EEXIST') throw cause
      throw new Error('it is there already. Name another file, or continue its run with --resume', { cause })
    }
  })
}

/** One write per line. A partially written line is removed, so that the file stays a list of whole records. */
function writeLine(file: number, line: string, size: number): void {
  const bytes = Buffer.from(`${line}\n`)
  const written = writeSync(file, bytes)
  if (written === bytes.length) return
  ftruncateSync(file, size)
  throw new Error(`only ${written} of ${bytes.length} bytes were written (disk full?)`)
}

/** True for an event that only says what happens right now: it is in no transcript and no stream of events. */
export function isPassing(event: RunEvent): boolean {
  if (event.type === 'stream_event') return true
  return event.type === 'system' && (event.subtype === 'tool_progress' || event.subtype === 'activity')
}

function mustBeOnDisk(event: RunEvent): boolean {
  if (event.type === 'result') return true
  if (event.type !== 'system') return false
  const { subtype } = event
  return subtype === 'init' || subtype === 'compact_boundary' || (subtype === 'tool_intent' && !event.is_read_only)
}

/** Enough for an end record and a summary. */
const BYTES = 256 * 1024

/**
 * Reserves space on the disk of `folder` with an unlinked file, so that nothing is left however the process ends. Takes
 * nothing if the disk has less. Never throws.
 */
function reserveDiskSpace(folder: string) {
  let file: number | undefined
  const release = (): void => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  const path = join(folder, `.${randomBytes(6).toString('hex')}.reserve`)
  try {
    file = openSync(path, 'wx', 0o600)
    rmSync(path)
    // Not zeros: some file systems store those without using space.
    if (writeSync(file, randomBytes(BYTES)) < BYTES) release()
  } catch {
    release()
  }
  return { release }
}

import {
  appendFileSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../contracts/errors.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { orElse } from '../lib/orElse.ts'
import { createFileAccess } from './createFileAccess.ts'
import { hasCode } from './toFileError.ts'

/** A file that the user named for the results of a run. */
export type OutputFile = {
  /** Its present size in bytes. */
  size(): number
  append(text: string): Promise<void>
  replace(text: string): Promise<void>
}

/**
 * A file that is written after children had time to change it. Inside `shared`, children can put links in its place. So
 * there it is written only at its present place, as a regular file, and its present content is kept: no child can write
 * through it. Elsewhere, it may also be a device, a link or a pipe. Throws for a pipe without a reader.
 */
export function openOutputFile(path: string, shared: readonly string[]): OutputFile {
  const place = placeOf(path)
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (!shared.some((folder) => isWithin(place, folder))) {
    if (statSync(path, { throwIfNoEntry: false })?.isFIFO() === true) {
      const write = openPipe(path)
      return { size: () => 0, append: write, replace: write }
    }
    return {
      size,
      append: async (text) => whole(path, size(), () => appendFileSync(path, text)),
      replace: async (text) => whole(path, 0, () => writeFileSync(path, text)),
    }
  }
  const files = createFileAccess({ roots: [dirname(place)], forbidden: [] })
  let content = textAt(place)
  const write = async (text: string) => {
    await files.write(place, Buffer.from(text))
    content = text
  }
  return {
    size: () => Buffer.byteLength(content),
    append: (text) => write(content + text),
    replace: write,
  }
}

/** The content of a regular file; nothing else is kept. */
function textAt(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, 'utf8') : ''
}

/** Undoes a partial write, back to `kept` bytes; removes a file that this created. */
function whole(path: string, kept: number, write: () => void): void {
  const before = statSync(path, { throwIfNoEntry: false })
  try {
    write()
  } catch (error) {
    if (before === undefined) rmSync(path, { force: true })
    else if (before.isFile()) truncateSync(path, kept)
    throw error
  }
}

/** The file in its resolved folder. */
function placeOf(path: string): string {
  return orElse(path, () => join(realpathSync(dirname(path)), basename(path)))
}

/** How long a reader may take for the next piece. */
const PATIENCE_MS = 5_000
const LOOK_MS = 20

/**
 * A pipe with a reader, kept open so that the reader waits for later writes. Throws if nobody reads it: nothing here
 * waits for a reader. A reader that stops reading becomes an error after a while.
 */
function openPipe(path: string): (text: string) => Promise<void> {
  const descriptor = openForReader(path)
  return (text) => writeAll(descriptor, Buffer.from(text)).finally(() => closeSync(descriptor))
}

function openForReader(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (!hasCode(error, 'ENXIO')) throw error
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
    if (hasCode(error, 'EAGAIN')) return 0
    throw error
  }
}

/** Why a file of the user cannot be written at the end, if that is certain now. The run may make `shared` folders. */
export function outputProblem(path: string, shared: readonly string[]): string | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return 'it is a folder'
    const folder = dirname(resolve(path))
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return undefined
    return shared.some((place) => isWithin(folder, place)) ? undefined : `there is no folder ${folder}`
  } catch (error) {
    return messageOf(error)
  }
}

/** Removes an output of an earlier run. Throws if something else is there than a regular file. */
export function removeOutput(path: string): void {
  const known = lstatSync(path, { throwIfNoEntry: false })
  if (known?.isFile() === false) throw new Error('it is there, and no regular file')
  if (known !== undefined) unlinkSync(path)
}

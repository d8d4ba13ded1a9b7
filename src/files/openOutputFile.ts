import {
  appendFileSync,
  lstatSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isWithin } from '../lib/fs/isWithin.ts'
import { createFileAccess } from './createFileAccess.ts'
import { openNamedPipe } from './openNamedPipe.ts'

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
      const { write } = openNamedPipe(path)
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
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return path
  }
}

import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FileContent, ReadStamp } from '../contracts/files.ts'
import { READ } from '../lib/fs/diskPath.ts'
import type { Folder } from './openFolder.ts'
import { fileError } from './toFileError.ts'

/** How much one `read` holds in memory if its caller sets no limit. */
const MAX_BYTES = 64 * 1024 * 1024

/** Reads a part of a regular file in an open folder; never waits for a writer, never follows a link. */
export async function readRegularFile(
  folder: Folder,
  path: string,
  options: { readonly maxBytes?: number; readonly offset?: number },
): Promise<FileContent> {
  const { maxBytes = MAX_BYTES, offset = 0 } = options
  const file = folder.entry(basename(path))
  // A device may react to being opened, so its type is checked first; the check of the descriptor decides.
  requireRegular(await lstat(file), path)
  const handle = await open(file, READ)
  try {
    const stats = await handle.stat()
    requireRegular(stats, path)
    const bytes = await readUpTo(handle, Math.min(maxBytes, Math.max(0, stats.size - offset)), offset)
    return { bytes, size: stats.size, stamp: stampOf(stats, bytes) }
  } finally {
    await handle.close()
  }
}

async function readUpTo(handle: FileHandle, length: number, offset: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** Throws for everything but a regular file. */
export function requireRegular(stats: Stats, path: string): void {
  if (stats.isFile()) return
  if (stats.isSymbolicLink()) throw fileError('changed', path, 'is a link that was not there when the call was judged')
  throw fileError('not_regular', path, `is ${nounOf(stats)}, not a regular file`)
}

function nounOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/** The hash of the whole file; empty if only a part was read. */
export function stampOf(stats: Stats, bytes: Uint8Array): ReadStamp {
  const isWhole = bytes.length === stats.size
  const sha256 = isWhole ? createHash('sha256').update(bytes).digest('hex') : ''
  return { mtimeMs: stats.mtimeMs, size: stats.size, sha256, isWhole }
}

/** True if both stamps are of the same bytes; for files too large to hash, of the same size and time. */
export function isSameContent(a: ReadStamp, b: ReadStamp): boolean {
  if (a.sha256 !== '' && b.sha256 !== '') return a.sha256 === b.sha256
  return a.size === b.size && a.mtimeMs === b.mtimeMs
}

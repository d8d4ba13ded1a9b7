import { stat } from 'node:fs/promises'
import { nameFromDisk } from '../fs/diskPath.ts'
import { readRegular } from '../fs/readRegular.ts'

/** What git's index says about one path. */
export type IndexEntry = {
  readonly oid: string
  /** As git writes it: 100644, 100755, 120000, 160000. */
  readonly mode: string
  /** The `stat` data when the content was hashed; undefined if the file may have changed within the same moment. */
  readonly stamp: string | undefined
}

const HEADER_BYTES = 12
const FIXED_BYTES = 62
const OID_BYTES = 20

/**
 * The paths that git tracks, read directly from its index: no git runs, and the repository's configuration has no
 * effect. Undefined if there is none, or its format is not supported (split, sparse, SHA-256). gitformat-index(5).
 */
export async function readIndex(path: string): Promise<ReadonlyMap<string, IndexEntry> | undefined> {
  try {
    const bytes = readRegular(path)
    return bytes && parseIndex(bytes, (await stat(path)).mtimeMs)
  } catch {
    return undefined
  }
}

function parseIndex(bytes: Buffer, writtenMs: number): ReadonlyMap<string, IndexEntry> | undefined {
  const version = bytes.readUInt32BE(4)
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined
  const entries = new Map<string, IndexEntry>()
  const count = bytes.readUInt32BE(8)
  let at = HEADER_BYTES
  let before: Buffer = Buffer.alloc(0)
  for (let i = 0; i < count; i++) {
    const flags = bytes.readUInt16BE(at + FIXED_BYTES - 2)
    const nameAt = at + FIXED_BYTES + ((flags & 0x4000) === 0 ? 0 : 2)
    const { name, end } = version === 4 ? readShortName(bytes, nameAt, before) : readName(bytes, nameAt)
    const mode = bytes
      .readUInt32BE(at + 24)
      .toString(8)
      .padStart(6, '0')
    // A folder as an entry: a sparse index, which does not list what is below it.
    if (mode === '040000') return undefined
    const oid = bytes.toString('hex', at + 40, at + 40 + OID_BYTES)
    entries.set(nameFromDisk(name), { oid, mode, stamp: readStamp(bytes, at, writtenMs) })
    before = name
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8
  }
  return hasLink(bytes, at) ? undefined : entries
}

function readName(bytes: Buffer, at: number) {
  const end = bytes.indexOf(0, at)
  return { name: bytes.subarray(at, end), end }
}

/** Version 4: how much of the previous name to drop, then the rest. */
function readShortName(bytes: Buffer, start: number, before: Buffer) {
  let at = start
  let dropped = bytes.readUInt8(at) & 0x7f
  while ((bytes.readUInt8(at++) & 0x80) !== 0) dropped = ((dropped + 1) << 7) | (bytes.readUInt8(at) & 0x7f)
  const { name, end } = readName(bytes, at)
  return { name: Buffer.concat([before.subarray(0, before.length - dropped), name]), end }
}

function readStamp(bytes: Buffer, at: number, writtenMs: number): string | undefined {
  const [ctime, ctimeNs, mtime, mtimeNs] = [0, 4, 8, 12].map((offset) => bytes.readUInt32BE(at + offset))
  const isRacy = (mtime ?? 0) * 1000 + (mtimeNs ?? 0) / 1e6 >= Math.floor(writtenMs)
  const [inode, size] = [bytes.readUInt32BE(at + 20), bytes.readUInt32BE(at + 36)]
  return isRacy ? undefined : [ctime, ctimeNs, mtime, mtimeNs, inode, size].join(' ')
}

/** The extension `link` names another file that holds most entries. */
function hasLink(bytes: Buffer, start: number): boolean {
  for (let at = start; at + 8 < bytes.length - OID_BYTES; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString('latin1', at, at + 4) === 'link') return true
  }
  return false
}

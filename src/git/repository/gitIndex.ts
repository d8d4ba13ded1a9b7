import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { nameFromDisk } from '../../lib/fs/diskPath.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { orElse } from '../../lib/orElse.ts'

/** One entry of git's index, without the cached `stat` data of the file. */
export type IndexEntry = {
  /** As `nameFromDisk` makes it. */
  readonly path: string
  /** Octal, as git writes it: 100644, 100755, 120000, 160000; 040000 for a folder of a sparse index. */
  readonly mode: string
  readonly oid: string
  /** The stage, and the flags that hide changes from git: assume-unchanged, skip-worktree, intent-to-add. */
  readonly marks: number
  /** Where the entry begins in the file: the cached `stat` data. */
  readonly at: number
}

/** What the index says about one path, with what recognizes an unchanged file. */
export type StampedEntry = Pick<IndexEntry, 'mode' | 'oid'> & {
  /** The `stat` data when the content was hashed; undefined if the file may have changed within the same moment. */
  readonly stamp: string | undefined
}

/** By path. */
export type StampedIndex = ReadonlyMap<string, StampedEntry> & {
  /** The tree that a commit of the whole index would have, if git has noted it. */
  readonly tree?: string | undefined
}

export type GitIndex = {
  readonly entries: readonly IndexEntry[]
  /** The tree of all entries, if the index has it cached. The file's own word: it may be forged. */
  readonly tree?: string | undefined
  /** The file without its caches. A forged cache could replace the entries. */
  plain(): Buffer
}

const HEADER = 12
const STAT = 40
/** In the first word: assume-valid and stage; in the second: skip-worktree and intent-to-add. */
const MARKS = 0xb000
const EXTENDED = 0x4000
/** Version 4 repeats names, so a small file could fill the memory. Real ones have about as many bytes as their names. */
const MOST_NAMES = (bytes: Buffer) => 16 * bytes.length + 65_536

/**
 * Reads git's index, versions 2 to 4 (gitformat-index(5)). `oidBytes` is 20, or 32 in a SHA-256 repository. Undefined
 * if it is damaged or split into two files.
 */
export function parseGitIndex(bytes: Buffer, oidBytes = 20): GitIndex | undefined {
  const entries: IndexEntry[] = []
  return orElse(undefined, () => {
    const end = readEntries(bytes, oidBytes, (path, at, marks) => {
      const mode = bytes.readUInt32BE(at + 24).toString(8)
      const oid = bytes.toString('hex', at + STAT, at + STAT + oidBytes)
      entries.push({ path, mode: mode.padStart(6, '0'), oid, marks, at })
    })
    const extensions = readExtensions(bytes, end, oidBytes)
    const tree = cachedTree(extensions, oidBytes)
    return { entries, tree, plain: () => withoutCaches(bytes.subarray(0, end), extensions, oidBytes) }
  })
}

/**
 * The paths that git tracks, read directly from its index: no git runs, and the repository's configuration has no
 * effect. Undefined if there is none, if it has more entries than `maxEntries`, or its format is not supported (split,
 * sparse, SHA-256).
 */
export async function readIndex(
  file: string,
  maxEntries = Number.POSITIVE_INFINITY,
): Promise<StampedIndex | undefined> {
  try {
    const bytes = readRegular(file) ?? Buffer.alloc(0)
    const index = bytes.readUInt32BE(8) <= maxEntries ? parseGitIndex(bytes) : undefined
    // A folder as an entry: a sparse index, which does not list what is below it.
    if (index?.entries.some(({ mode }) => mode === '040000') !== false) return undefined
    const { mtimeMs } = await stat(file)
    const entries = index.entries.map(
      ({ path, mode, oid, at }) => [path, { mode, oid, stamp: stampAt(bytes, at, mtimeMs) }] as const,
    )
    return Object.assign(new Map(entries), { tree: index.tree })
  } catch {
    return undefined
  }
}

function stampAt(bytes: Buffer, at: number, writtenMs: number): string | undefined {
  const [ctime, ctimeNs, mtime, mtimeNs] = [0, 4, 8, 12].map((offset) => bytes.readUInt32BE(at + offset))
  const isRacy = (mtime ?? 0) * 1000 + (mtimeNs ?? 0) / 1e6 >= Math.floor(writtenMs)
  const [inode, size] = [bytes.readUInt32BE(at + 20), bytes.readUInt32BE(at + 36)]
  return isRacy ? undefined : [ctime, ctimeNs, mtime, mtimeNs, inode, size].join(' ')
}

/** The stamp of a file as it is now: equal to that of its entry while nobody touched it. The index keeps 32 bits of each. */
export function stampOf({ ctimeNs, mtimeNs, ino, size }: BigIntStats): string {
  const times = [ctimeNs, mtimeNs].flatMap((time) => [time / SECOND, time % SECOND])
  return [...times, ino, size].map((part) => BigInt.asUintN(32, part)).join(' ')
}

const SECOND = 1_000_000_000n

/** The names alone: a large index has a hundred thousand. In a sparse index, that of a folder ends with a slash. */
export function indexNames(bytes: Buffer, oidBytes: number): readonly string[] | undefined {
  const names: string[] = []
  return orElse(undefined, () => {
    const end = readEntries(bytes, oidBytes, (name) => names.push(name))
    readExtensions(bytes, end, oidBytes)
    return names
  })
}

/** Calls `visit` for each entry. Returns where the entries end; throws for what is no index of a known version. */
function readEntries(
  bytes: Buffer,
  oidBytes: number,
  visit: (path: string, at: number, marks: number) => void,
): number {
  const version = bytes.readUInt32BE(4)
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) throw new RangeError()
  const fixed = STAT + oidBytes + 2
  let at = HEADER
  let last: Buffer = Buffer.alloc(0)
  let names = 0
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = bytes.readUInt16BE(at + fixed - 2)
    const isExtended = (flags & EXTENDED) !== 0
    const more = isExtended ? bytes.readUInt16BE(at + fixed) : 0
    const nameAt = at + fixed + (isExtended ? 2 : 0)
    const { name, end } = version === 4 ? shortName(bytes, nameAt, last) : plainName(bytes, nameAt)
    names += name.length
    if (names > MOST_NAMES(bytes)) throw new RangeError()
    visit(nameFromDisk(name), at, ((flags & MARKS) << 16) | more)
    last = name
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8
  }
  return at
}

type Extension = { readonly name: string; readonly bytes: Buffer }

/** Throws for a damaged index, and for one that is split into two files. */
function readExtensions(bytes: Buffer, start: number, oidBytes: number): readonly Extension[] {
  const found: Extension[] = []
  let at = start
  const end = bytes.length - oidBytes
  while (at < end) {
    const size = 8 + bytes.readUInt32BE(at + 4)
    found.push({ name: bytes.toString('latin1', at, at + 4), bytes: bytes.subarray(at, at + size) })
    at += size
  }
  if (at !== end || found.some(({ name }) => name === 'link')) throw new RangeError()
  return found
}

/** The first record of the extension `TREE` is the top folder: an empty name, counts, and its tree if it is valid. */
function cachedTree(extensions: readonly Extension[], oidBytes: number): string | undefined {
  const cache = extensions.find(({ name }) => name === 'TREE')?.bytes.subarray(8)
  const head = /^\0\d+ \d+\n/.exec(cache?.toString('latin1', 0, 64) ?? '')?.[0]
  return head && cache?.toString('hex', head.length, head.length + oidBytes)
}

/** A name in lower-case letters marks an extension that is required to understand the entries. */
function withoutCaches(entries: Buffer, extensions: readonly Extension[], oidBytes: number): Buffer {
  const needed = extensions.filter(({ name }) => /^[a-z]/.test(name)).map(({ bytes }) => bytes)
  const body = Buffer.concat([entries, ...needed])
  const hash = createHash(oidBytes === 32 ? 'sha256' : 'sha1').update(body)
  return Buffer.concat([body, hash.digest()])
}

function plainName(bytes: Buffer, at: number): { name: Buffer; end: number } {
  const end = bytes.indexOf(0, at)
  if (end < 0) throw new RangeError()
  return { name: bytes.subarray(at, end), end }
}

/** Version 4: how many bytes of the previous name to drop, then the rest. */
function shortName(bytes: Buffer, start: number, last: Buffer): { name: Buffer; end: number } {
  let at = start
  let byte = bytes.readUInt8(at++)
  let dropped = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++)
    dropped = ((dropped + 1) << 7) | (byte & 0x7f)
  }
  const { name, end } = plainName(bytes, at)
  return { name: Buffer.concat([last.subarray(0, last.length - dropped), name]), end }
}

/** The entries that differ between two indexes, by path. Cached `stat` data does not count. */
export function differingEntries(
  before: GitIndex,
  now: GitIndex,
): readonly (readonly [string, readonly IndexEntry[]])[] {
  const [old, young] = [byPath(before), byPath(now)]
  const paths = [...new Set([...old.keys(), ...young.keys()])]
  return paths
    .filter((path) => old.get(path)?.word !== young.get(path)?.word)
    .map((path) => [path, young.get(path)?.entries ?? []])
}

function byPath({ entries }: GitIndex) {
  const found = new Map<string, { readonly word: string; readonly entries: readonly IndexEntry[] }>()
  for (const entry of entries) {
    const other = found.get(entry.path)
    const word = `${other?.word ?? ''}${entry.mode} ${entry.oid} ${entry.marks};`
    found.set(entry.path, { word, entries: [...(other?.entries ?? []), entry] })
  }
  return found
}

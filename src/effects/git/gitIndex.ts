import { createHash } from 'node:crypto'

/** One entry of git's index, without the cached `stat` data of the file. */
export type IndexEntry = {
  readonly path: string
  /** Octal, as git writes it: 100644, 100755, 120000, 160000; 040000 for a folder of a sparse index. */
  readonly mode: string
  readonly oid: string
  /** The stage, and the flags that hide changes from git: assume-unchanged, skip-worktree, intent-to-add. */
  readonly marks: number
}

export type GitIndex = {
  readonly entries: readonly IndexEntry[]
  /** The file without its caches. A forged cache could replace the entries. */
  plain(): Buffer
}

const HEADER = 12
const STAT = 40
/** In the first word: assume-valid and stage; in the second: skip-worktree and intent-to-add. */
const MARKS = 0xb000
const EXTENDED = 0x4000

/**
 * Reads git's index, versions 2 to 4 (gitformat-index(5)). `oidBytes` is 20, or 32 in a SHA-256 repository. Undefined
 * if it is damaged or split into two files.
 */
export function parseGitIndex(bytes: Buffer, oidBytes = 20): GitIndex | undefined {
  try {
    return parse(bytes, oidBytes)
  } catch {
    return undefined
  }
}

function parse(bytes: Buffer, oidBytes: number): GitIndex | undefined {
  const version = bytes.readUInt32BE(4)
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined
  const entries: IndexEntry[] = []
  const fixed = STAT + oidBytes + 2
  let at = HEADER
  let last: Buffer = Buffer.alloc(0)
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = bytes.readUInt16BE(at + fixed - 2)
    const isExtended = (flags & EXTENDED) !== 0
    const more = isExtended ? bytes.readUInt16BE(at + fixed) : 0
    const nameAt = at + fixed + (isExtended ? 2 : 0)
    const { name, end } = version === 4 ? shortName(bytes, nameAt, last) : plainName(bytes, nameAt)
    entries.push({
      path: name.toString('utf8'),
      mode: bytes
        .readUInt32BE(at + 24)
        .toString(8)
        .padStart(6, '0'),
      oid: bytes.toString('hex', at + STAT, at + STAT + oidBytes),
      marks: ((flags & MARKS) << 16) | more,
    })
    last = name
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8
  }
  const extensions = readExtensions(bytes, at, oidBytes)
  if (extensions === undefined || extensions.some(({ name }) => name === 'link')) return undefined
  return { entries, plain: () => withoutCaches(bytes.subarray(0, at), extensions, oidBytes) }
}

type Extension = { readonly name: string; readonly bytes: Buffer }

function readExtensions(bytes: Buffer, start: number, oidBytes: number): Extension[] | undefined {
  const found: Extension[] = []
  let at = start
  const end = bytes.length - oidBytes
  while (at < end) {
    const size = 8 + bytes.readUInt32BE(at + 4)
    found.push({ name: bytes.toString('latin1', at, at + 4), bytes: bytes.subarray(at, at + size) })
    at += size
  }
  return at === end ? found : undefined
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
  if (end < 0) throw new RangeError('a name without an end')
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

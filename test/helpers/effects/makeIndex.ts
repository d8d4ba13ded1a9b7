import { createHash } from 'node:crypto'

export type MadeEntry = {
  readonly path: string | Buffer
  readonly mode?: number
  /** A letter of a hexadecimal number, repeated; `a` by default. */
  readonly oid?: string
  /** The flags of the entry without the length of its name: assume-valid, extended, stage. */
  readonly flags?: number
  /** More flags, which version 2 does not have. */
  readonly more?: number
  /** What the entry remembers of the file: a byte, repeated. */
  readonly stat?: number
}

export type MadeIndex = {
  readonly version?: 2 | 3 | 4
  readonly oidBytes?: 20 | 32
  /** Names of four letters, and their content. */
  readonly extensions?: Readonly<Record<string, string>>
}

/** The bytes of an index of git, as gitformat-index(5) describes them. */
export function makeIndex(entries: readonly (MadeEntry | string)[], options: MadeIndex = {}): Buffer {
  const { version = 2, oidBytes = 20, extensions = {} } = options
  let last = Buffer.alloc(0)
  const parts = entries.map((each) => {
    const entry = typeof each === 'string' ? { path: each } : each
    const name = Buffer.from(entry.path)
    const bytes = entryOf(entry, { name, last, version, oidBytes })
    last = name
    return bytes
  })
  const more = Object.entries(extensions).flatMap(([name, text]) => [
    Buffer.from(name),
    word(text.length),
    Buffer.from(text),
  ])
  const body = Buffer.concat([Buffer.from('DIRC'), word(version), word(entries.length), ...parts, ...more])
  return Buffer.concat([
    body,
    createHash(oidBytes === 32 ? 'sha256' : 'sha1')
      .update(body)
      .digest(),
  ])
}

type Around = { readonly name: Buffer; readonly last: Buffer; readonly version: number; readonly oidBytes: number }

function entryOf({ mode = 0o100644, oid = 'a', flags = 0, more, stat = 0 }: MadeEntry, around: Around): Buffer {
  const { name, last, version, oidBytes } = around
  const head = Buffer.alloc(40, stat)
  head.writeUInt32BE(mode, 24)
  const isExtended = more !== undefined
  const words = [Buffer.alloc(2), ...(isExtended ? [Buffer.alloc(2)] : [])]
  words[0]?.writeUInt16BE(flags | (isExtended ? 0x4000 : 0) | Math.min(name.length, 0xfff))
  words[1]?.writeUInt16BE(more ?? 0)
  const fixed = Buffer.concat([head, Buffer.from(oid.repeat(oidBytes * 2), 'hex'), ...words])
  if (version === 4) return Buffer.concat([fixed, ...shortened(name, last), Buffer.alloc(1)])
  const length = fixed.length + name.length
  return Buffer.concat([fixed, name, Buffer.alloc(8 - (length % 8))])
}

/** How many bytes of the previous name to drop, in the variable width of a pack's offsets, and the rest of the name. */
function shortened(name: Buffer, last: Buffer): Buffer[] {
  let common = 0
  while (common < Math.min(name.length, last.length) && name[common] === last[common]) common++
  let dropped = last.length - common
  const width = [dropped & 0x7f]
  while (dropped > 0x7f) {
    dropped = (dropped >> 7) - 1
    width.unshift(0x80 | (dropped & 0x7f))
  }
  return [Buffer.from(width), name.subarray(common)]
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

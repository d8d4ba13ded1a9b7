import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { blobName, openObjects } from './gitObjects.ts'

type PackedBlob = { readonly name: Buffer; readonly bytes: Buffer }

/** Larger contents are compressed, in files of their own. */
const LARGEST = 0xffff
/** A pack is written when there is more in memory. */
const MOST_BYTES = 8 * 1024 * 1024

/** Blobs for a git directory of our own, many in one file: to create a file takes much longer than to write to one. */
export function openBlobPack(gitDir: string) {
  const { putBlob } = openObjects(gitDir)
  const known = new Set<string>()
  let blobs: PackedBlob[] = []
  let size = 0
  const store = (): void => {
    if (blobs.length > 0) writePack(join(gitDir, 'objects', 'pack'), blobs)
    blobs = []
    size = 0
  }
  return {
    /** Stores a content; returns its name. Git finds it after the next `store`. */
    putBlob(content: Uint8Array) {
      if (content.length > LARGEST) return putBlob(content)
      const oid = blobName(content)
      if (known.has(oid)) return oid
      known.add(oid)
      const bytes = packed(content)
      blobs.push({ name: Buffer.from(oid, 'hex'), bytes })
      size += bytes.length
      if (size > MOST_BYTES) store()
      return oid
    },
    /** Writes what is kept in memory. */
    store,
  }
}

/** As gitformat-pack(5) says. Git takes a pack once it has its index. */
function writePack(folder: string, blobs: readonly PackedBlob[]): void {
  const header = words(0x5041434b, 2, blobs.length)
  const body = Buffer.concat([header, ...blobs.map(({ bytes }) => bytes)])
  const sum = sha1(body)
  let offset = header.length
  const entries = blobs
    .map(({ name, bytes }) => {
      const entry = { name, crc: crc32(bytes), offset }
      offset += bytes.length
      return entry
    })
    .sort((one, other) => Buffer.compare(one.name, other.name))
  const index = Buffer.concat([
    words(0xff744f63, 2, ...fanOut(entries)),
    ...entries.map(({ name }) => name),
    words(...entries.map(({ crc }) => crc)),
    words(...entries.map((entry) => entry.offset)),
    sum,
  ])
  const path = join(folder, `pack-${sum.toString('hex')}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${path}.pack`, Buffer.concat([body, sum]))
  writeFileSync(`${path}.idx`, Buffer.concat([index, sha1(index)]))
}

/** For each first byte of a name, how many names have it or a smaller one. */
function fanOut(entries: readonly Pick<PackedBlob, 'name'>[]): number[] {
  const counts = new Array<number>(256).fill(0)
  for (const { name } of entries) counts[name[0] ?? 0] = (counts[name[0] ?? 0] ?? 0) + 1
  let total = 0
  return counts.map((count) => {
    total += count
    return total
  })
}

const BLOB = 3

/** A blob of a pack: its kind and size, then its content for zlib, which is not compressed. */
function packed(content: Uint8Array): Buffer {
  const { length } = content
  const head: number[] = []
  let [rest, low] = [length >>> 4, (BLOB << 4) | (length & 0x0f)]
  for (; rest > 0; rest >>>= 7) {
    head.push(low | 0x80)
    low = rest & 0x7f
  }
  return Buffer.concat([Uint8Array.of(...head, low), deflateSync(content, { level: 0 })])
}

/** In the order of the network. */
function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4)
  return bytes
}

function sha1(bytes: Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest()
}

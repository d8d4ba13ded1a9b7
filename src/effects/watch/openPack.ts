import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { READ, withFile } from '../../lib/fs/diskPath.ts'

export type Pack = ReturnType<typeof openPack>

export type PackedContent = {
  /** Writes the content to a file with this mode. Throws if the pack is not the file that was sealed, or not sealed yet. */
  unpack(file: string, mode: number): void
}

/** Larger files are copied one by one, so that the file system can share their data. */
const MAX_BYTES = 64 * 1024
const WRITE = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW

/** The contents of many files in one file, because it takes much longer to create a file than to write to one. */
export function openPack(file: string) {
  const pack = openSync(file, WRITE, 0o600)
  const buffer = Buffer.allocUnsafe(MAX_BYTES + 1)
  let end = 0
  let sealed: string | undefined
  return {
    /** Adds the content of a regular file. Undefined if it is too large, cannot be read or stored, or the pack is sealed. */
    add(path: string): PackedContent | undefined {
      if (sealed !== undefined) return undefined
      try {
        const length = readWhole(path, buffer)
        if (length === undefined || writeSync(pack, buffer, 0, length, end) < length) return undefined
        const start = end
        end += length
        return {
          unpack(to, mode) {
            writeFileSync(to, readSealed(file, sealed, start, length), { mode: 0o600 })
            chmodSync(to, mode)
          },
        }
      } catch {
        return undefined
      }
    },
    /**
     * Closes the file; nothing can be added afterwards. So commands find no open descriptor that leads to the contents.
     * A second call does nothing.
     */
    seal() {
      if (sealed !== undefined) return
      sealed = identityOf(fstatSync(pack, { bigint: true }))
      closeSync(pack)
    },
  }
}

/** Undefined if the file is not a regular file or does not fit. */
function readWhole(path: string, buffer: Buffer): number | undefined {
  return withFile(path, READ, (file) => {
    if (!fstatSync(file).isFile()) return undefined
    let length = 0
    for (let count = -1; count !== 0; length += count) {
      count = readSync(file, buffer, length, buffer.length - length, null)
    }
    return length === buffer.length ? undefined : length
  })
}

function readSealed(file: string, sealed: string | undefined, start: number, length: number): Buffer {
  return withFile(file, READ, (pack) => {
    if (identityOf(fstatSync(pack, { bigint: true })) !== sealed) throw new Error('the stored contents were changed')
    const region = Buffer.alloc(length)
    if (readSync(pack, region, 0, length, start) < length) throw new Error('a stored content cannot be read')
    return region
  })
}

/** A value that changes with every write and every new name. */
function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

import { isUtf8 } from 'node:buffer'
import { type BigIntStats, closeSync, constants, lstatSync, openSync } from 'node:fs'
import { orElse } from '../orElse.ts'

/** Stands for a byte of a name that is not UTF-8: 0x80 is U+DC80, and so on. No valid text has these alone. */
const FIRST = 0xdc00

/** A name as text. One that is not UTF-8 keeps its bytes, so that `diskPath` finds the file again. */
export function nameFromDisk(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return [...bytes].map((byte) => String.fromCharCode(byte < 0x80 ? byte : FIRST + byte)).join('')
}

/** True if a part of the path is not UTF-8. */
export function isUndecodable(path: string): boolean {
  return /[\udc80-\udcff]/u.test(path)
}

/** The form of such a path that `node:fs` accepts. */
export function diskPath(path: string): string | Buffer {
  if (!isUndecodable(path)) return path
  const parts = [...path].map((letter) => {
    const code = letter.codePointAt(0) ?? 0
    return code >= FIRST + 0x80 && code <= FIRST + 0xff ? Buffer.from([code - FIRST]) : Buffer.from(letter)
  })
  return Buffer.concat(parts)
}

/** What is at such a path, a link as a link; undefined where nothing is, or it cannot be told. */
export function statOf(path: string): BigIntStats | undefined {
  return orElse(undefined, () => lstatSync(diskPath(path), { bigint: true, throwIfNoEntry: false }))
}

/** The name of a file as text; bytes that are not UTF-8 are escaped (`caf\\xe9.txt`). Pure. */
export function nameOfBytes(bytes: Uint8Array): string {
  let out = ''
  for (let rest = Buffer.from(bytes); rest.length > 0; ) {
    const size = isUtf8(rest) ? rest.length : ([1, 2, 3, 4].find((length) => isUtf8(rest.subarray(0, length))) ?? 0)
    out += size === 0 ? `\\x${rest.toString('hex', 0, 1)}` : rest.toString('utf8', 0, size)
    rest = rest.subarray(Math.max(size, 1))
  }
  return out
}

/** The same of a name as text. */
export function shownName(name: string): string {
  return nameOfBytes(Buffer.from(diskPath(name)))
}

/** Stands for what could not be decoded. */
export const LOST = '\ufffd'

/** True for a name that `nameOfBytes` escaped: no path leads there. */
export function isEscapedName(name: string): boolean {
  return /\\x[89a-f][0-9a-f]/.test(name)
}

/** To read a file: follows no link, and does not wait for the writer of a FIFO. */
export const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** What `work` returns for an open file, which is closed then, whatever happens. */
export function withFile<T>(path: string, flags: string | number, work: (descriptor: number) => T, mode?: number): T {
  const descriptor = openSync(diskPath(path), flags, mode)
  try {
    return work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

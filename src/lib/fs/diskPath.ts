/** Stands for a byte of a name that is not UTF-8: 0x80 is U+DC80, and so on. No valid text has these alone. */
const FIRST = 0xdc00

/** A name as text. One that is not UTF-8 keeps its bytes, so that `diskPath` finds the file again. */
export function nameFromDisk(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\ufffd') || Buffer.from(text).equals(bytes)) return text
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

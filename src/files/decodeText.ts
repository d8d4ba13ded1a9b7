import { isUtf8 } from 'node:buffer'

/** The format of a text on disk, so that it can be written back the same way. */
export type TextFormat = {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1'
  readonly hasBom: boolean
}

export type DecodedText = { readonly text: string; readonly format: TextFormat }

/** The format of a new file. */
export const UTF_8: TextFormat = { encoding: 'utf-8', hasBom: false }

const BOMS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const

/** As much as git reads to distinguish text from binary. */
const SNIFF_BYTES = 8000

/**
 * The text of a file, or undefined for a binary one. Lossless: `encodeText` of the result gives the same bytes. Text
 * that is neither UTF-8 nor marked as UTF-16 is read as Latin-1, if it has no control characters.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const bom = BOMS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  const encoding = bom?.[0] ?? 'utf-8'
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(bom?.[1].length ?? 0)
  if (encoding !== 'utf-8') return decodeUtf16(body, encoding)
  const start = body.subarray(0, SNIFF_BYTES)
  if (start.includes(0)) return undefined
  if (isUtf8(body)) return { text: body.toString('utf8'), format: { encoding, hasBom: bom !== undefined } }
  const isText = bom === undefined && !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(start.toString('latin1'))
  return isText ? { text: body.toString('latin1'), format: { encoding: 'latin1', hasBom: false } } : undefined
}

/** The bytes of a text in that format; undefined if the format cannot represent it. */
export function encodeText(text: string, { encoding, hasBom }: TextFormat): Uint8Array | undefined {
  const mark = hasBom ? (BOMS.find(([name]) => name === encoding)?.[1] ?? []) : []
  if (encoding === 'latin1' && /[^\0-\xff]/.test(text)) return undefined
  if (encoding === 'utf-8' && !text.isWellFormed()) return undefined
  const body = Buffer.from(text, encoding === 'utf-16be' ? 'utf-16le' : encoding)
  return Buffer.concat([Buffer.from(mark), encoding === 'utf-16be' ? body.swap16() : body])
}

function decodeUtf16(body: Buffer, encoding: 'utf-16le' | 'utf-16be'): DecodedText | undefined {
  if (body.length % 2 !== 0) return undefined
  const text = (encoding === 'utf-16be' ? Buffer.from(body).swap16() : body).toString('utf-16le')
  return { text, format: { encoding, hasBom: true } }
}

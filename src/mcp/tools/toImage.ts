import type { ImageBlock } from '../../contracts/messages.ts'

/** The API's limit for one image is 5 MB of base64, and 8,000 pixels a side: Messages API, vision. */
const MAX_IMAGE_BYTES = (5 * 1024 * 1024 * 3) / 4

/** The kinds of image that the API takes, by their first bytes. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
]

/** The bytes as an image block; undefined if the API would reject them, whatever type the sender claims. */
export function toImage(bytes: Buffer): ImageBlock | undefined {
  if (bytes.length > MAX_IMAGE_BYTES) return undefined
  const start = bytes.toString('latin1', 0, 16)
  const kind = KINDS.find(([, signature]) => signature.test(start))
  if (kind === undefined || isTooWide(bytes, kind[0])) return undefined
  return { type: 'image', source: { type: 'base64', media_type: kind[0], data: bytes.toString('base64') } }
}

/** PNG and GIF store their size at a fixed position. */
function isTooWide(bytes: Buffer, mediaType: string): boolean {
  if (mediaType === 'image/png')
    return bytes.length < 24 || Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) > 8_000
  if (mediaType === 'image/gif')
    return bytes.length < 10 || Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(8)) > 8_000
  return false
}

/** What the first bytes of an image file say. `isComplete` is false if its end is missing. */
export type ImageInfo = {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  readonly width: number
  readonly height: number
  readonly isComplete: boolean
}

/** The type and size of an image by its content, not its name; undefined if it is damaged or of another type. */
export function readImageInfo(bytes: Uint8Array): ImageInfo | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const info = readPng(data) ?? readJpeg(data) ?? readGif(data) ?? readWebp(data)
  return info && info.width > 0 && info.height > 0 ? info : undefined
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

function readPng(data: Buffer): ImageInfo | undefined {
  if (data.length < 33 || !data.subarray(0, 8).equals(PNG) || data.toString('latin1', 12, 16) !== 'IHDR')
    return undefined
  const end = data.lastIndexOf('IEND', undefined, 'latin1')
  const isComplete = end !== -1 && end + 8 <= data.length
  return { mediaType: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20), isComplete }
}

function readGif(data: Buffer): ImageInfo | undefined {
  if (data.length < 13 || !/^GIF8[79]a/.test(data.toString('latin1', 0, 6))) return undefined
  const isComplete = data[data.length - 1] === 0x3b
  return { mediaType: 'image/gif', width: data.readUInt16LE(6), height: data.readUInt16LE(8), isComplete }
}

/** Walks the JPEG segments up to the frame header, which is one of SOF0–SOF15 but DHT, JPG and DAC. */
function readJpeg(data: Buffer): ImageInfo | undefined {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return undefined
  const isComplete = data.lastIndexOf(Buffer.from([0xff, 0xd9])) > 2
  let at = 2
  while (at + 9 <= data.length && data[at] === 0xff) {
    const marker = data[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const size = { width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) }
      return { mediaType: 'image/jpeg', ...size, isComplete }
    }
    at += 2 + data.readUInt16BE(at + 2)
  }
  return undefined
}

/** The three chunk kinds of the WebP container (RFC 9649, section 2). */
function readWebp(data: Buffer): ImageInfo | undefined {
  if (data.length < 30 || data.toString('latin1', 0, 4) !== 'RIFF' || data.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined
  }
  const size = webpSize(data)
  return size && { mediaType: 'image/webp', ...size, isComplete: data.length >= data.readUInt32LE(4) + 8 }
}

function webpSize(data: Buffer): { width: number; height: number } | undefined {
  const chunk = data.toString('latin1', 12, 16)
  if (chunk === 'VP8 ') return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff }
  if (chunk === 'VP8X') return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 }
  if (chunk !== 'VP8L') return undefined
  const bits = data.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

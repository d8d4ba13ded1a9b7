import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { NetworkRefusal } from './createAddressGuard.ts'

const MAX_RATIO = 100
/** Below this size, a page of blanks may well compress better than the limit. */
const RATIO_FROM = 256 * 1024

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

export type ReadBodyOptions = {
  /** The `content-encoding` header; empty without one. */
  readonly encoding: string
  readonly maxBytes: number
}

/**
 * The decoded body, up to `maxBytes`; the rest is not read. Throws `NetworkRefusal` for a body that grows more than a
 * hundredfold, is compressed twice, or in a way that was not requested.
 */
export async function readBody(raw: Readable, { encoding, maxBytes }: ReadBodyOptions) {
  let received = 0
  const decoder = decoderOf(encoding, raw)
  if (decoder !== undefined) raw.on('data', (chunk: Buffer) => (received += chunk.length))
  // The error, if any, is thrown by the iteration below.
  const decoded = decoder === undefined ? raw : pipeline(raw, decoder, () => undefined)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of decoded as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (decoder !== undefined && size > RATIO_FROM && size > received * MAX_RATIO) {
      throw new NetworkRefusal('size', `the answer decompresses to more than ${MAX_RATIO} times its size`)
    }
    if (size > maxBytes) break
  }
  return { body: new Uint8Array(Buffer.concat(chunks).subarray(0, maxBytes)), isTruncated: size > maxBytes }
}

function decoderOf(encoding: string, raw: Readable): Transform | undefined {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const [name, ...more] = names.filter((entry) => entry !== '' && entry !== 'identity')
  if (name === undefined) return undefined
  const create = more.length === 0 && Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  if (create !== undefined) return create()
  raw.on('error', () => undefined).destroy()
  throw new NetworkRefusal('size', `the answer is compressed as ${JSON.stringify(encoding)}`)
}

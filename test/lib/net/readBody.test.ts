import { Readable } from 'node:stream'
import { brotliCompressSync, crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readBody } from '../../../src/lib/net/createNetworkAccess.ts'

const KIB = 1024
const sourceOf = (...chunks: readonly Uint8Array[]) => Readable.from(chunks, { objectMode: false })

/** A gzip of zeros that has exactly so many bytes: a file name in its head fills it up. */
function gzipOfZeros(decoded: number, encoded: number): Buffer {
  const zeros = Buffer.alloc(decoded)
  const body = deflateRawSync(zeros)
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(zeros), 0)
  end.writeUInt32LE(decoded, 4)
  const head = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3])
  const name = Buffer.alloc(encoded - head.length - 1 - body.length - end.length, 'n')
  return Buffer.concat([head, name, Buffer.of(0), body, end])
}

it.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  [' GZIP ', gzipSync],
  ['identity, gzip', gzipSync],
  ['gzip,', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['', Buffer.from],
  ['Identity, identity', Buffer.from],
])('unpacks %j', async (encoding, pack) => {
  const packed = pack(Buffer.from('häll😀'))
  const { body, isTruncated } = await readBody(sourceOf(packed.subarray(0, 5), packed.subarray(5)), {
    encoding,
    maxBytes: 100,
  })
  expect([Buffer.from(body).toString(), isTruncated]).toEqual(['häll😀', false])
})

it.each(['gzip, gzip', 'gzip, br', 'zstd', 'constructor', 'identity, compress'])(
  'refuses %j, and reads nothing of it',
  async (encoding) => {
    const raw = sourceOf(gzipSync('x'))
    await expect(readBody(raw, { encoding, maxBytes: 100 })).rejects.toMatchObject({
      ...{ name: 'NetworkRefusal', code: 'size', message: `the answer is compressed as ${JSON.stringify(encoding)}` },
    })
    expect([raw.destroyed, raw.readableDidRead]).toEqual([true, false])
    // What the connection says of its end comes later, and must not end the run.
    expect(() => raw.emit('error', new Error('aborted'))).not.toThrow()
  },
)

it.each([
  ['less than the limit', 9, 9, false],
  ['the limit', 10, 10, false],
  ['more', 11, 10, true],
])('gives at most what it may hold: %s', async (_, size, kept, isTruncated) => {
  for (const [encoding, bytes] of [
    ['', Buffer.alloc(size, 'x')],
    ['gzip', gzipSync(Buffer.alloc(size, 'x'))],
  ] as const)
    expect(await readBody(sourceOf(bytes), { encoding, maxBytes: 10 })).toEqual({
      ...{ body: new Uint8Array(Buffer.alloc(kept, 'x')), isTruncated },
    })
})

it.each([
  ['what grows a hundredfold', gzipOfZeros(400 * KIB, 4 * KIB + 0), true],
  ['what grows more', gzipOfZeros(400 * KIB, 4 * KIB - 1), false],
  ['a small page of blanks, whatever it grows', gzipSync(Buffer.alloc(256 * KIB)), true],
  ['a larger page of blanks', gzipSync(Buffer.alloc(272 * KIB)), false],
])('reads what an honest page may be: %s', async (_, packed, isRead) => {
  const reading = readBody(sourceOf(packed), { encoding: 'gzip', maxBytes: 1024 * KIB })
  if (isRead) return expect((await reading).isTruncated).toBe(false)
  await expect(reading).rejects.toMatchObject({
    ...{ code: 'size', message: 'the answer decompresses to more than 100 times its size' },
  })
})

it('counts only what is compressed: a plain page has no ratio', async () => {
  const { body } = await readBody(sourceOf(Buffer.alloc(400 * KIB)), { encoding: '', maxBytes: 1024 * KIB })
  expect(body).toHaveLength(400 * KIB)
})

it.each([
  ['a connection that breaks', '', () => Readable.from(broken())],
  ['a connection that breaks in a compressed body', 'gzip', () => Readable.from(broken())],
  ['a body that is not compressed', 'gzip', () => sourceOf(Buffer.from('plain'))],
  ['a compressed body that is cut off', 'gzip', () => sourceOf(gzipSync('x'.repeat(100)).subarray(0, 15))],
])('fails for %s', async (_, encoding, open) => {
  await expect(readBody(open(), { encoding, maxBytes: 100 })).rejects.toThrow()
})

async function* broken(): AsyncGenerator<Uint8Array> {
  yield gzipSync('x').subarray(0, 12)
  throw new Error('the connection is reset')
}

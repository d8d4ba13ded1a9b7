import { expect, test } from 'vitest'
import { readImageInfo } from '../../../src/lib/media/readImageInfo.ts'
import { GIF, JPEG, PNG, pngOf, WEBP_LOSSLESS, WEBP_LOSSY } from '../../helpers/images.ts'

test.each([
  ['image/png', PNG],
  ['image/gif', GIF],
  ['image/jpeg', JPEG],
  ['image/webp', WEBP_LOSSY],
  ['image/webp', WEBP_LOSSLESS],
])('knows %s by its content', (mediaType, bytes) => {
  expect(readImageInfo(bytes)).toEqual({ mediaType, width: 3, height: 2, isComplete: true })
  expect(readImageInfo(bytes.subarray(0, bytes.length - 3))).toMatchObject({ isComplete: false })
})

test('reads large sizes', () => {
  expect(readImageInfo(pngOf(20_000, 1))).toMatchObject({ width: 20_000, height: 1 })
})

test('never throws for a truncated image', () => {
  for (const bytes of [PNG, GIF, JPEG, WEBP_LOSSY, WEBP_LOSSLESS]) {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => readImageInfo(bytes.subarray(0, length))).not.toThrow()
    }
  }
  expect(readImageInfo(Buffer.from('text'))).toBeUndefined()
  for (const [width, height] of [
    [0, 5],
    [5, 0],
  ] as const)
    expect(readImageInfo(pngOf(width, height))).toBeUndefined()
})

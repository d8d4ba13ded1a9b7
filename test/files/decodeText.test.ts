import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText, encodeText } from '../../src/files/decodeText.ts'

const utf16be = (text: string) => Buffer.from(text, 'utf-16le').swap16()
const FIXTURES: readonly (readonly [string, Buffer, string, string, boolean])[] = [
  ['empty', Buffer.from(''), '', 'utf-8', false],
  ['ASCII', Buffer.from('a\nb'), 'a\nb', 'utf-8', false],
  ['UTF-8', Buffer.from('grün 🌲\r\n'), 'grün 🌲\r\n', 'utf-8', false],
  ['UTF-8 with BOM', Buffer.from('\ufeffa'), 'a', 'utf-8', true],
  ['two BOMs', Buffer.from('\ufeff\ufeffa'), '\ufeffa', 'utf-8', true],
  ['UTF-16 LE', Buffer.from('\ufeffgrün', 'utf-16le'), 'grün', 'utf-16le', true],
  ['UTF-16 BE', utf16be('\ufeffgrün'), 'grün', 'utf-16be', true],
  ['half a pair in UTF-16', Buffer.from('fffe00d8', 'hex'), '\ud800', 'utf-16le', true],
  ['Latin-1', Buffer.from('grün', 'latin1'), 'grün', 'latin1', false],
  ['cut UTF-8', Buffer.from('f09f8c', 'hex'), 'ð\x9f\x8c', 'latin1', false],
]

test.each(FIXTURES)('%s survives a round trip', (_name, bytes, text, encoding, hasBom) => {
  const decoded = decodeText(bytes)
  expect(decoded).toEqual({ text, format: { encoding, hasBom } })
  expect(decoded && Buffer.from(encodeText(decoded.text, decoded.format) ?? [])).toEqual(bytes)
})

test.each([
  ['a NUL', 'a\0b'],
  ['a PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['control characters that are no UTF-8', '\xff\x01'],
  ['a UTF-8 BOM before other bytes', '\xef\xbb\xbf\xff'],
  ['half a UTF-16 unit', '\xff\xfea'],
])('detects %s as binary', (_name, bytes) => {
  expect(decodeText(Buffer.from(bytes, 'latin1'))).toBeUndefined()
})

test('any bytes are either rejected or survive unchanged', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const decoded = decodeText(bytes)
      if (decoded) expect(Buffer.from(encodeText(decoded.text, decoded.format) ?? [])).toEqual(Buffer.from(bytes))
    }),
  )
})

test('a format rejects text that it cannot encode', () => {
  expect(encodeText('€', { encoding: 'latin1', hasBom: false })).toBeUndefined()
  expect(encodeText('\ud800', { encoding: 'utf-8', hasBom: false })).toBeUndefined()
})

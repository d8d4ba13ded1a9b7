import { expect, it } from 'vitest'
import { isEscapedName, nameOfBytes } from '../../../src/lib/fs/nameOfBytes.ts'

it.each([
  ['plain.txt', Buffer.from('plain.txt'), false],
  ['Käse \ufffd 🎉', Buffer.from('Käse \ufffd 🎉'), false],
  ['caf\\xe9.txt', Buffer.from('caf\xe9.txt', 'latin1'), true],
  ['ä\\xff\\xc3', Buffer.concat([Buffer.from('ä'), Buffer.from([0xff, 0xc3])]), true],
])('%s', (shown, bytes, isEscaped) => {
  expect([nameOfBytes(bytes), isEscapedName(shown)]).toEqual([shown, isEscaped])
})

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diskPath, isEscapedName, isUndecodable, nameFromDisk, nameOfBytes } from '../../../src/lib/fs/diskPath.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

describe('diskPath', () => {
  it.each([
    ['a plain name', Buffer.from('a'), false],
    ['one beyond ASCII, and beyond 16 bits', Buffer.from('ä😀'), false],
    ['one that holds the sign for what cannot be decoded', Buffer.from('a\ufffd'), false],
    ['a byte that is no UTF-8', Buffer.from([0x61, 0xff, 0x62]), true],
    ['a part of a letter', Buffer.from([0xc3]), true],
    ['half of a surrogate pair in three bytes', Buffer.from([0xed, 0xb3, 0xbf]), true],
  ])('finds a file again by %s', (_, bytes, isOdd) => {
    const folder = join(makeFolder(), 'ö')
    const name = nameFromDisk(bytes)
    expect([isUndecodable(name), Buffer.from(diskPath(name)).equals(bytes)]).toEqual([isOdd, true])
    expect(Buffer.from(diskPath(join(folder, name)))).toEqual(Buffer.concat([Buffer.from(`${folder}/`), bytes]))
  })

  it('distinguishes names that look alike', () => {
    const folder = makeFolder()
    for (const byte of [0xfe, 0xff])
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([byte])]), `${byte}`)
    const names = readdirSync(folder, { encoding: 'buffer' }).map(nameFromDisk)
    expect(names.map((name) => readFileSync(diskPath(join(folder, name)), 'utf8')).sort()).toEqual(['254', '255'])
  })
})

it.each([
  ['plain.txt', Buffer.from('plain.txt'), false],
  ['Käse \ufffd 🎉', Buffer.from('Käse \ufffd 🎉'), false],
  ['caf\\xe9.txt', Buffer.from('caf\xe9.txt', 'latin1'), true],
  ['ä\\xff\\xc3', Buffer.concat([Buffer.from('ä'), Buffer.from([0xff, 0xc3])]), true],
])('nameOfBytes: %s', (shown, bytes, isEscaped) => {
  expect([nameOfBytes(bytes), isEscapedName(shown)]).toEqual([shown, isEscaped])
})

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPack } from '../../../src/effects/watch/openPack.ts'
import { type Files, makeFiles, openIn } from '../../helpers/effects/makeFiles.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'

function lab(files: Files) {
  const folder = makeFiles(files)
  const at = (name: string) => join(folder, name)
  const pack = openPack(at('pack'))
  const unpacked = (content: ReturnType<typeof pack.add>, mode = 0o640) => {
    content?.unpack(at('out'), mode)
    return [readFileSync(at('out'), 'utf8'), statSync(at('out')).mode & 0o777]
  }
  return { at, pack, unpacked }
}

it('gives back each content with its mode, once it is sealed', () => {
  const { at, pack, unpacked } = lab({ a: 'one', b: '', c: 'three', l: '-> a' })
  const contents = ['a', 'b', 'c'].map((name) => pack.add(at(name)))
  const all = [
    ['one', 0o640],
    ['', 0o640],
    ['three', 0o640],
  ]
  for (const name of ['a', 'b', 'c']) writeFileSync(at(name), 'changed')
  expect(() => unpacked(contents[0])).toThrow('the stored contents were changed')
  pack.seal()
  expect(contents.map((each) => unpacked(each))).toEqual(all)
  expect(unpacked(contents[0], 0o751)).toEqual(['one', 0o751])
  pack.seal()
})

it('takes nothing more when it is sealed', () => {
  const { at, pack } = lab({ a: 'one' })
  pack.seal()
  expect(pack.add(at('a'))).toBeUndefined()
  expect(statSync(at('pack')).size).toBe(0)
})

it('takes no folder, no link, no FIFO without waiting for it, and nothing that is not there', () => {
  const { at, pack } = lab({ a: 'one', l: '-> a', 'd/': '' })
  execFileSync('mkfifo', [at('f')])
  expect(['d', 'l', 'f', 'none'].map((name) => pack.add(at(name)))).toEqual(Array(4).fill(undefined))
  pack.seal()
})

it('takes files of up to 64 KiB', () => {
  const { at, pack, unpacked } = lab({ a: 'x'.repeat(65_536), b: 'x'.repeat(65_537) })
  expect(pack.add(at('b'))).toBeUndefined()
  const content = pack.add(at('a'))
  pack.seal()
  expect(unpacked(content)[0]).toHaveLength(65_536)
})

it('does not stand for a content that the disk took only a part of', () => {
  const { at, pack, unpacked } = lab({ a: 'one', b: 'two' })
  const { tear } = recordCalls(join(at('pack'), '..'))
  const full = openPack(at('full'))
  tear()
  expect(full.add(at('a'))).toBeUndefined()
  const content = full.add(at('b'))
  for (const each of [pack, full]) each.seal()
  expect(unpacked(content)[0]).toBe('two')
})

it.each<[string, 'before' | 'after', (pack: string) => void, string]>([
  ['it was changed', 'after', (file) => writeFileSync(file, 'two'), 'the stored contents were changed'],
  ['it was cut before it was sealed', 'before', (file) => truncateSync(file, 2), 'a stored content cannot be read'],
])('says why it gives nothing back after %s', (_, when, change, why) => {
  const { at, pack } = lab({ a: 'one' })
  const content = pack.add(at('a'))
  if (when === 'before') change(at('pack'))
  pack.seal()
  if (when === 'after') change(at('pack'))
  expect(() => content?.unpack(at('out'), 0o600)).toThrow(why)
})

it('leaves no descriptor open but its own', () => {
  const { at, pack, unpacked } = lab({ a: 'one', b: 'x'.repeat(70_000), 'd/': '' })
  const count = () => openIn(join(at('pack'), '..'))
  const content = pack.add(at('a'))
  for (const name of ['b', 'd', 'none']) pack.add(at(name))
  expect(count()).toBe(1)
  pack.seal()
  unpacked(content)
  expect(count()).toBe(0)
})

import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withEffects } from '../../src/effects/describeEffects.ts'
import { isSameFile } from '../../src/effects/isSameFile.ts'
import { memoize, once } from '../../src/lib/memoize.ts'
import { makeFiles, openIn } from '../helpers/effects/makeFiles.ts'

const CHUNK = 256 * 1024
const LARGE = 8 * 1024 * 1024

it.each([1, CHUNK - 1, CHUNK, CHUNK + 1, LARGE, LARGE + 1])(
  'compares the bytes of two files up to the last one: %i bytes',
  async (size) => {
    const folder = makeFiles()
    const [one, other] = [join(folder, 'one'), join(folder, 'other')]
    const bytes = Buffer.alloc(size, 'ab')
    writeFileSync(one, bytes)
    writeFileSync(other, bytes)
    expect(await isSameFile(one, other, size)).toBe(true)
    bytes[size - 1] = 0
    writeFileSync(other, bytes)
    expect(await isSameFile(one, other, size)).toBe(false)
    truncateSync(other, size - 1)
    expect(await isSameFile(one, other, size)).toBe(false)
    expect(await isSameFile(other, one, size)).toBe(false)
  },
)

it('finds two empty files alike, and none that cannot be read, is a link, or is a FIFO that nobody writes', async () => {
  const folder = makeFiles({ a: 'x', b: 'x', l: '-> a', 'd/': '' })
  const at = (name: string) => join(folder, name)
  execFileSync('mkfifo', [at('f')])
  expect(await isSameFile(at('none'), at('gone'), 0)).toBe(true)
  for (const size of [1, LARGE + 1]) {
    for (const name of ['l', 'd', 'none']) {
      expect(await isSameFile(at('a'), at(name), size)).toBe(false)
      expect(await isSameFile(at(name), at('a'), size)).toBe(false)
    }
    expect(await isSameFile(at('a'), at('f'), size)).toBe(false)
    expect(await isSameFile(at('a'), at('b'), size)).toBe(true)
  }
  expect(openIn(folder)).toBe(0)
})

it('asks once for each word', () => {
  const asked: string[] = []
  const ask = memoize((word) => {
    asked.push(word)
    return word === 'none' ? undefined : word
  })
  expect(['a', 'b', 'a', 'none', 'none'].map(ask)).toEqual(['a', 'b', 'a', undefined, undefined])
  expect(asked).toEqual(['a', 'b', 'none'])
  const count = once(() => asked.push('more'))
  expect([count(), count()]).toEqual([4, 4])
})

it('makes an error of the output of a command whose changes were not kept, and says which', () => {
  const output = { text: 'x', isError: false } as unknown as Parameters<typeof withEffects>[0]
  const report = { state: 'enforced', kept: [], scratch: {}, leftOut: [], undone: [] } as const
  expect(withEffects(output, undefined, '/p')).toBe(output)
  expect(withEffects(output, report, '/p')).toBe(output)
  const change = { path: '/p/a', kind: 'modified', entry: 'file' } as const
  const refused = withEffects(output, { ...report, undone: [{ change, why: 'no rule' }] }, '/p')
  expect(refused).toMatchObject({ text: 'x', isError: true })
  expect(refused.notKept).toMatch(/^Nothing that this command changed was kept: a \(modified\) – no rule\./)
})

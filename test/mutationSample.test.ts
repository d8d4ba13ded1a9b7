import { expect, it } from 'vitest'
import { withMutant } from '../scripts/mutation/openCopy.ts'
import { readWords } from '../scripts/mutation/readWords.ts'
import { drawSample } from '../scripts/mutation/sample.ts'

const hundred = Array.from({ length: 100 }, (_, index) => index)

it('draws the same mutants for the same seed, others for another, in their order and each once', () => {
  const drawn = drawSample(hundred, { size: 30, seed: 1 })
  expect(drawn).toEqual(drawSample(hundred, { size: 30, seed: 1 }))
  expect(drawn).not.toEqual(drawSample(hundred, { size: 30, seed: 2 }))
  expect([...new Set(drawn)].sort((one, other) => one - other)).toEqual(drawn)
  expect(drawn).toHaveLength(30)
  expect(drawSample(hundred, { size: 500, seed: 1 })).toEqual(hundred)
})

it('draws each mutant about as often as any other', () => {
  const counts = hundred.map(() => 0)
  for (let seed = 0; seed < 2000; seed++)
    for (const index of drawSample(hundred, { size: 30, seed })) counts[index] = (counts[index] ?? 0) + 1
  // 600 each, give or take four standard deviations and a half.
  expect(Math.min(...counts)).toBeGreaterThan(510)
  expect(Math.max(...counts)).toBeLessThan(690)
})

it('reads what to play', () => {
  expect(readWords(['--sample', '40', 'src/mcp'])).toEqual({
    isAgain: false,
    sample: { size: 40, seed: 1 },
    shard: { part: 1, of: 1 },
    names: ['src/mcp'],
  })
  expect(readWords(['--sample=1', '--seed', '7', '--shard', '4/4'])).toMatchObject({
    sample: { size: 1, seed: 7 },
    shard: { part: 4, of: 4 },
  })
  expect(readWords(['--again'])).toMatchObject({ isAgain: true, sample: undefined, names: [] })
})

it.each([
  [['--sample', '0'], '--sample takes whole numbers from 1: 0'],
  [['--sample', '1e3'], '--sample takes whole numbers from 1: 1e3'],
  [['--sample', 'src/mcp'], '--sample takes whole numbers from 1: src/mcp'],
  [['--sample', '9', '--seed', 'x'], '--seed takes whole numbers from 0: x'],
  [['--seed', '1'], 'give --sample N too'],
  [['--again', '--sample', '9'], 'not with --sample'],
  [['--shard', '5/4'], '--shard takes PART/PARTS'],
  [['--shard', '0/4'], '--shard takes whole numbers from 1: 0'],
  [['--shard', '1'], '--shard takes PART/PARTS'],
  [['--smaple', '9'], 'Unknown option'],
])('refuses %j', (argv, message) => {
  expect(() => readWords(argv)).toThrow(message)
})

it('puts a mutant into the source by line and column', () => {
  const text = 'const a = 1\nconst b = [\n  a,\n]\n'
  const at = (from: readonly [number, number], to: readonly [number, number]) => ({
    start: { line: from[0], column: from[1] },
    end: { line: to[0], column: to[1] },
  })
  expect(withMutant(text, { location: at([1, 11], [1, 12]), replacement: '2' })).toBe(
    'const a = 2\nconst b = [\n  a,\n]\n',
  )
  expect(withMutant(text, { location: at([2, 11], [4, 2]), replacement: '[]' })).toBe('const a = 1\nconst b = []\n')
})

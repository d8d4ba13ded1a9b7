import { describe, expect, it } from 'vitest'
import type { Subject } from '../../src/contracts/subject.ts'
import { exitMeaning } from '../../src/tools/BashTool/exitMeaning.ts'

function command(...words: string[]): Subject {
  const argv = words.map((value) => ({ kind: 'literal' as const, value }))
  return { kind: 'command', chain: [{ argv, cover: 'wildcard' }], text: words.join(' ') }
}

describe('exitMeaning', () => {
  it.each([
    [1, [command('grep', 'x', 'a')], 'no match', false],
    [1, [command('cat', 'a'), command('grep', 'x')], 'no match', false],
    [1, [command('diff', 'a', 'b')], 'they differ', false],
    [1, [command('git', 'diff', '--quiet')], 'they differ', false],
    [1, [command('[', '-f', 'x', ']')], 'the condition is false', false],
    [127, [command('nosuch')], 'command not found', true],
    [137, [command('node', 'a.js')], 'killed, perhaps because memory ran out', true],
  ])('%i of %j', (code, subjects, text, isError) => {
    expect(exitMeaning(code, subjects)).toEqual({ text, isError })
  })

  it.each([
    [0, [command('grep', 'x')]],
    [2, [command('grep', 'x', 'missing')]],
    [1, [command('npm', 'test')]],
    [1, [command('git', 'diff')]],
    [1, [command('grep', 'x'), command('echo', 'y')]],
    [1, [command('toString')]],
    [null, [command('grep', 'x')]],
  ])('says nothing of %j after %j', (code, subjects) => {
    expect(exitMeaning(code, subjects)).toBeUndefined()
  })
})

import { parse } from 'unbash'
import { expect, test } from 'vitest'
import type { FoundFiles, Word } from '../../src/contracts/subject.ts'
import { readFind } from '../../src/shell/readFind.ts'

function wordsOf(line: string): Word[] {
  const command = parse(line).commands[0]?.command
  if (command?.type !== 'Command') throw new Error(line)
  return [command.name, ...command.args].flatMap((each) =>
    each?.type === 'Word' ? [{ kind: 'literal', value: each.value }] : [],
  )
}

test.each<readonly [string, FoundFiles | undefined]>([
  ['find', { starts: ['.'] }],
  ['find src test/', { starts: ['src', 'test/'] }],
  ['find -P src -type f', { starts: ['src'] }],
  ["find src -name '*.ts'", { starts: ['src'], names: ['*.ts'], isPicked: true }],
  ["find src -iname '*.TS' -print0", { starts: ['src'], names: ['*.TS'], isPicked: true, isNul: true }],
  ["find . -name a -o -name 'b*'", { starts: ['.'], names: ['a', 'b*'], isPicked: true }],
  ["find . -type f '(' -name a -o -iname b ')' -size +1k", { starts: ['.'], names: ['a', 'b'], isPicked: true }],
  ['find . -name a -o -type d', { starts: ['.'], isPicked: true }],
  ["find . '!' -name a", { starts: ['.'], except: ['*/a'] }],
  ["find . -not '(' -name a ')'", { starts: ['.'], except: ['*/a'] }],
  ["find . -not '(' -name a -o -path './b/*' ')'", { starts: ['.'], except: ['*/a', './b/*'] }],
  ["find . -not '(' -name a -type d ')'", { starts: ['.'] }],
  ["find . -not '(' '!' -name a ')'", { starts: ['.'], isPicked: true }],
  ["find . '!' '!' -name a", { starts: ['.'], names: ['a'], isPicked: true }],
  ["find . -not -path './x/*' -name a", { starts: ['.'], names: ['a'], except: ['./x/*'], isPicked: true }],
  ["find . -not -path './[x]/*'", { starts: ['.'] }],
  ["find . -not -name 'a*'", { starts: ['.'] }],
  ["find . -not -path './x/*' -o -name a", { starts: ['.'], isPicked: true }],
  ["find . -path '*/.git/conf*'", { starts: ['.'], names: ['*/.git/conf*'], isPicked: true }],
  ["find . -path '*conf'", { starts: ['.'], names: ['*conf'], isPicked: true }],
  ["find . -path '*conf*'", { starts: ['.'], isPicked: true }],
  ["find . -regex '.*conf'", { starts: ['.'], isPicked: true }],
  ['find . -path ./x -prune -o -name a -print', { starts: ['.'], names: ['a'], isPicked: true }],
  ['find . -print -name a', { starts: ['.'], isPicked: true }],
  ['find . -name a -print -o -type d -print', { starts: ['.'], isPicked: true }],
  ["find . '(' -type f -print ')' -name a", { starts: ['.'], isPicked: true }],
  ["find . -name a -o '(' -type f -print ')'", { starts: ['.'], isPicked: true }],
  ["find . '(' -print ')' -not -name a", { starts: ['.'] }],
  ["find . -not -name a -print -o '(' -print ')'", { starts: ['.'] }],
  ["find . -name '*'", { starts: ['.'] }],
  ['find -L . -name a', undefined],
  ['find . -follow', undefined],
  ['find . -exec echo x +', undefined],
  ['find . -delete', undefined],
  ['find . -printf x', undefined],
  ['find . -name', undefined],
  ["find . '(' -name a", undefined],
  ["find . -name a ')'", undefined],
  ['find . -name a , -name b', undefined],
  ['find . -print -print0', undefined],
  ['find -files0-from x', undefined],
])('%s', (line, expected) => {
  expect(readFind(wordsOf(line))).toEqual(expected)
})

test('deep groups and a word that is not known', () => {
  const deep = ['find', ...Array<string>(100).fill('('), '-name', 'a'].map(
    (value): Word => ({ kind: 'literal', value }),
  )
  expect(readFind(deep)).toBeUndefined()
  expect(readFind([...wordsOf('find . -name'), { kind: 'dynamic' }])).toBeUndefined()
})

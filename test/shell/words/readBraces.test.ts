import { expect, test } from 'vitest'
import { readBraces } from '../../../src/shell/words/readBraces.ts'

const emissions = (text: string): readonly string[] | undefined => readBraces(text)?.map(({ emission }) => emission)

test.each([
  ['a{b,c}', ["'ab'", "'ac'"]],
  ['{3..1}', ["'3'", "'2'", "'1'"]],
  ['{a,b}/{c,d}', ["'a/c'", "'a/d'", "'b/c'", "'b/d'"]],
  ['--x=*.{t,u}', ["'--x='*'.t'", "'--x='*'.u'"]],
  ['--x=\\*.{t,u}', ["'--x=*.t'", "'--x=*.u'"]],
  ['x{,.bak}', ["'x'", "'x.bak'"]],
  // As in bash, an empty word is none.
  ['{,a}', ["'a'"]],
  ['{1..3,5}', ["'1..3'", "'5'"]],
  ['src/{a,b/{c,d}}', ["'src/a'", "'src/b/c'", "'src/b/d'"]],
  ['{{a,b},c{1..2}}', ["'a'", "'b'", "'c1'", "'c2'"]],
])('%s', (text, words) => expect(emissions(text)).toEqual(words))

test.each([
  'a',
  '{}',
  '{,}',
  '{a}',
  '{a{b,c}}',
  '{1..{2,3}4}',
  '{a,{b}}',
  '{a,b}}',
  '{r@P}m,x}',
  'a{b@P},c}',
  '{a,"b"}',
  '{a,$b}',
  '{a,b\\ c}',
  '{a,[b]}',
  '{a..c}',
  '{01..3}',
  '{a,~}',
  '{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}',
  '{1..101}',
])('%s is left alone', (text) => expect(readBraces(text)).toBeUndefined())

test('an escaped star is one character of the pattern, as in any other word', () => {
  const words = readBraces('--x=\\*.*.{t,u}')?.map(({ word }) => word)
  expect(words).toEqual([
    { kind: 'glob', value: '--x=?.*.t' },
    { kind: 'glob', value: '--x=?.*.u' },
  ])
})

import { expect, test } from 'vitest'
import { sentence } from '../../src/report/markdown/markdownText.ts'
import { splitInlineCode } from '../../src/report/splitInlineCode.ts'

test.each<[string, readonly (readonly [string, boolean])[]]>([
  ['plain', [['plain', false]]],
  [
    'run `npm test` first',
    [
      ['run ', false],
      ['npm test', true],
      [' first', false],
    ],
  ],
  ['a ` alone', [['a ` alone', false]]],
  ['``', [['``', false]]],
  ['', []],
])('%j is split at its backticks', (text, parts) => {
  expect(splitInlineCode(text)).toEqual(parts.map(([text, isCode]) => ({ text, isCode })))
})

test('nothing between backticks becomes markup', () => {
  expect(sentence('see `</code><img src=x>@user #1` and `**b**`')).toBe(
    'see <code>&#60;/code&#62;&#60;img src=x&#62;@user #1</code> and <code>&#42;&#42;b&#42;&#42;</code>',
  )
})

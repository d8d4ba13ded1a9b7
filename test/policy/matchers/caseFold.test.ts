import { expect, it } from 'vitest'
import { caseFold } from '../../../src/policy/matchers/caseFold.ts'

it.each([
  ['abc-1/[x]{y}', 'abc-1/[x]{y}'],
  ['ABC', 'abc'],
  ['aBc', 'abc'],
  // Some letters are equal only in capitals.
  ['stra\u00dfe', 'strasse'],
  ['\u017fecret', 'secret'],
  ['cafe\u0301', 'caf\u00e9'],
  ['CAFE\u0301', 'caf\u00e9'],
  ['a\u200bb\ufeffc', 'abc'],
  ['e\u200b\u0301', '\u00e9'],
])('%s is one name with %s for the most lenient file system', (text, folded) => {
  expect(caseFold(text)).toBe(folded)
})

import { expect, it } from 'vitest'
import { counted, cut, formatDuration, formatNumber } from '../../../src/lib/text/words.ts'

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
])('%i has its thousands apart', (count, text) => {
  expect(formatNumber(count)).toBe(text)
  expect(counted(count, 'call')).toBe(`${text} calls`)
})

it.each([
  [12, '12 ms'],
  [4_200, '4.2 s'],
  [5_000, '5 s'],
  [59_600, '1 min'],
  [65_000, '1 min 5 s'],
  [99_960_000, '27 h 46 min'],
])('%i milliseconds are written for people', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})

it('a cut text ends in an ellipsis, and a short one stays', () => {
  expect(cut('abcd', 3)).toBe('abc…')
  expect(cut('abc', 3)).toBe('abc')
})

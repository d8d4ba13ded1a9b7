import { expect, test } from 'vitest'
import { fitsGlob } from '../../src/shell/fitsGlob.ts'

test.each<readonly [string, string, boolean]>([
  ['a.ts', '*.ts', true],
  ['a/b.ts', '*.ts', true],
  ['a.tsx', '*.ts', false],
  ['.env', '*env', true],
  ['', '*', true],
  ['', '?', false],
  ['ab', 'a?', true],
  ['ab', 'a[cd]', true],
  ['a[', 'a[', true],
  ['aXbXc', 'a*b*c', true],
  ['abcb', '*b', true],
  ['😀', '?', true],
])('%s and %s', (text, glob, expected) => {
  expect(fitsGlob(text, glob)).toBe(expected)
})

test('many stars stay cheap', () => {
  expect(fitsGlob('a'.repeat(5_000), `${'*a'.repeat(2_000)}b`)).toBe(false)
})

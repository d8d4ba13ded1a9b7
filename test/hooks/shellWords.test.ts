import { expect, test } from 'vitest'
import { shellWords } from '../../src/hooks/shellWords.ts'

test.each<[string, readonly (readonly string[])[] | undefined]>([
  // The targets of redirects are words: they may name the checkout.
  ['a b > c < d', [['a', 'b', 'c', 'd']]],
  ["a 'b > c' '>d'", [['a', 'b > c', '>d']]],
  ['a | b && c; d\n(e) & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
  ["a 'b;c' ;; ", [['a', 'b;c']]],
  ['', []],
  ['a b~ c/~', [['a', 'b~', 'c/~']]],
  ['a ~/b', undefined],
  ['a $B', undefined],
  ['a *.js', undefined],
  ['if a', undefined],
])('the words of %s', (line, expected) => {
  expect(shellWords(line)).toEqual(expected)
})

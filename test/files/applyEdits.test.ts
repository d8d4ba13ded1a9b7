import { expect, it } from 'vitest'
import { closestLines } from '../../src/files/applyEdits.ts'

const TEXT = 'function f() {\n\treturn a - b\n}\nf( )\n'

it.each([
  ['a whole line', '  return a - b', { line: 2, lines: '\treturn a - b' }],
  ['a part of a line', 'a  - b', { line: 2, lines: '\treturn a - b' }],
  ['parts of two lines', 'a  - b\n  }', { line: 2, lines: '\treturn a - b\n}' }],
  ['parts around whole lines', 'f()  {\nreturn a - b\n}', { line: 1, lines: 'function f() {\n\treturn a - b\n}' }],
  ['a part that is too short to mean one place', 'f()\t', undefined],
  ['another text', 'a - c', undefined],
  ['nothing but blanks', ' \n ', undefined],
])('finds lines that differ in blanks only: %s', (_, wanted, found) => {
  expect(closestLines(TEXT, wanted)).toEqual(found)
})

import { expect, test } from 'vitest'
import type { Word } from '../../src/contracts/subject.ts'
import { jqProblem, withoutArguments } from '../../src/shell/jqProblem.ts'

/** `$` before a word is one that is known only when it runs; what follows is how it begins. */
function wordsOf(...values: readonly string[]): readonly Word[] {
  return values.map((value) =>
    value.startsWith('$') ? { kind: 'dynamic', prefix: value.slice(1) } : { kind: 'literal', value },
  )
}

test.each([
  [['import "a" as $d; $d']],
  [['-n', ' # note\n\timport "a" as $d; $d']],
  [['include "a"; b']],
  [['module {a: 1}; include "a"; b']],
  [['"a" | modulemeta']],
  [['-f', 'a.jq']],
  [['-nf', 'a.jq']],
  [['-Lsecret', '.']],
  [['--from-file', 'a.jq']],
  [['--library', 'a', '.']],
  [['$']],
  [['$i']],
  [['$import ']],
  [['$# note\n']],
  [['.a', '$']],
  [['$', '--', '.']],
  [['--arg', 'a', 'b', '$', 'f']],
])('not covered: %j', (values) => expect(jqProblem(wordsOf('jq', ...values))).toBeDefined())

test.each([
  [['.include', 'tsconfig.json']],
  [['-r', '.a.import[]']],
  [['{import: .a}']],
  [['.imports']],
  [['imports', 'f']],
  [['$.a']],
  [['$map(']],
  [['--arg', 'v', '$', '.a = $v', 'f']],
  [['--argjson', 'v', 'import', '.']],
  [['.a', '--', '$']],
])('covered: %j', (values) => expect(jqProblem(wordsOf('jq', ...values))).toBeUndefined())

test('what --arg hands on is left out', () => {
  expect(withoutArguments(wordsOf('jq', '--arg', 'a', 'b', '.', 'f'))).toEqual(wordsOf('jq', '.', 'f'))
})

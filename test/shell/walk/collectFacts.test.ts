import { parse } from 'unbash'
import { describe, expect, test } from 'vitest'
import { collectFacts } from '../../../src/shell/walk/collectFacts.ts'

const isNumeric = (text: string) => collectFacts(parse(text)).isNumeric('i')

describe('a variable holds only numbers where each use comes after a number was set', () => {
  test.each([
    'i=0; echo $((i))',
    'i=0; while [[ $i -lt 3 ]]; do i=$((i + 1)); done',
    'for i in 1 2; do echo $((i)); done; echo $((i))',
    'for ((i=0; i<3; i++)); do echo $i; done',
    '((i = 2)); echo $((i))',
    // What surely ran before.
    'cd x && i=0 && echo $((i))',
    'if i=1; then echo $((i)); fi',
    'while i=1; do echo $((i)); done',
    '{ i=1; } >f; echo $((i))',
    '! i=1; echo $((i))',
  ])('%s', (text) => expect(isNumeric(text)).toBe(true))

  // What it inherits may be `a[$(command)]`, and bash runs the command.
  test.each([
    'echo $((i)); i=1',
    'i=$((i + 1))',
    'i=1 echo $((i))',
    '{ i=1; } >$i; echo $((i))',
    // What may not run.
    'false && i=1; echo $((i))',
    'a || i=0 && echo $((i))',
    'if a; then i=1; fi; echo $((i))',
    'case x in x) i=1;; esac; echo $((i))',
    'for i in; do :; done; echo $((i))',
    '((0 && (i=1))); echo $((i))',
    'a ${x:-$((i=1))}; echo $((i))',
    'while a; do i=1; done; echo $((i))',
    // What runs in another shell, or at another time.
    'i=1 | cat; echo $((i))',
    '(i=1); echo $((i))',
    'i=1 & echo $((i))',
    'f() { echo $((i)); }; f; i=1',
  ])('but not in %s', (text) => expect(isNumeric(text)).toBe(false))
})

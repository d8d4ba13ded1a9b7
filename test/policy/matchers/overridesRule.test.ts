import { describe, expect, test } from 'vitest'
import type { Word } from '../../../src/contracts/subject.ts'
import { overridesRule } from '../../../src/policy/matchers/overridesRule.ts'

function argvOf(line: string): Word[] {
  return line.split(' ').map((value) => ({ kind: 'literal', value }))
}

describe('an option after those of a rule', () => {
  test.each([
    // The same option the other way round.
    ['make --dry-run', 'make --dry-run --no-dry-run', true],
    ['tool --no-write', 'tool --no-write --write', true],
    // The same option switched off.
    ['helm upgrade --dry-run', 'helm upgrade --dry-run --dry-run=false', true],
    ['tool --check', 'tool --check --check=off x', true],
    // Others pass, and so does what stands behind `--`.
    ['tool --check', 'tool --check --checkall', false],
    ['tool --check', 'tool --check --write', false],
    ['tool --check', 'tool --check -- --no-check', false],
    ['tool run', 'tool run --no-check', false],
    ['tool --a --b', 'tool --a --b --no-b', true],
    ['tool --check', 'tool --check --check=true', false],
    ['tool --check', 'tool --check --check=falsetto', false],
    ['tool --check', 'tool --check --other=false', false],
    // A word is no option.
    ['tool no-check', 'tool no-check --check', false],
    ['tool --check', 'tool --check no-check', false],
    ['tool x--check', 'tool x--check --no-x--check', false],
  ])('%s: %s overrides it: %s', (rule, line, expected) => {
    expect(overridesRule(rule.split(' '), argvOf(line))).toBe(expected)
  })
})

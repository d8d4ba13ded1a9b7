import { describe, expect, it } from 'vitest'
import type { CommandLink } from '../../../src/contracts/subject.ts'
import { isCommandCovered, isLinkCovered } from '../../../src/policy/matchers/command.ts'
import { pattern } from '../../helpers/policy/judgeCommand.ts'

const link = (line: string, more: Partial<CommandLink> = {}): CommandLink => ({
  ...{ argv: line.split(' ').map((value) => ({ kind: 'literal', value })), cover: 'wildcard', ...more },
})
const covers = (rules: readonly string[], ...chain: readonly CommandLink[]) =>
  isCommandCovered(rules.map(pattern), { kind: 'command', chain, text: '' })

describe('a chain is covered', () => {
  const timeout = [link('timeout 5 npm test x'), link('npm test x')]
  it.each<[string, readonly string[], readonly CommandLink[], boolean]>([
    ['by a rule for each link', ['timeout:*', 'npm test:*'], timeout, true],
    ['not where one link has none', ['timeout:*', 'ls'], timeout, false],
    ['by one exact rule for a whole link', ['ls', 'npm test'], [link('npm test'), link('x')], true],
    [
      'not where something in it is never covered',
      ['npm test'],
      [link('npm test'), link('x', { cover: 'never' })],
      false,
    ],
    ['by an exact rule with git’s harmless options', ['git status'], [link('git --no-pager status')], true],
  ])('%s', (_, rules, chain, expected) => expect(covers(rules, ...chain)).toBe(expected))
})

describe('where a line went to another folder, a rule that names a file of this one', () => {
  it.each<[string, string, boolean]>([
    ['./gradlew test', './gradlew test', false],
    ['./gradlew *', './gradlew test', false],
    ['bin/x *', 'bin/x a', false],
    ['sh build.sh', 'sh build.sh', false],
    ['sh -x build.sh', 'sh -x build.sh', false],
    ['sh scripts/*', 'sh scripts/a', false],
    ['timeout 5 sh a.sh', 'timeout 5 sh a.sh', false],
    ['node runner.js *', 'node runner.js x', false],
    // What no folder changes.
    ['npm test', 'npm test', true],
    ['git status:*', 'git status', true],
    ['/opt/x *', '/opt/x a', true],
    ['~/bin/x *', '~/bin/x a', true],
    ['ls a/b', 'ls a/b', true],
    ['node -e x', 'node -e x', true],
    ['python -m pytest *', 'python -m pytest a', true],
    ['sh -c ls', 'sh -c ls', true],
    ['node *', 'node x.js', true],
    ['deno run *', 'deno run x', true],
    ['deno test *', 'deno test x', true],
  ])('%s does not cover %s: %s', (rule, line, isCovered) => {
    expect(isLinkCovered(pattern(rule), link(line))).toBe(true)
    expect(isLinkCovered(pattern(rule), link(line, { isMoved: true }))).toBe(isCovered)
    expect(isLinkCovered(pattern(rule), link(line, { isMoved: true }), { isMoved: true })).toBe(true)
  })
})

it('an option that overrides the rule is passed over only to find out why', () => {
  const moved = link('make --dry-run --no-dry-run')
  expect(isLinkCovered(pattern('make --dry-run *'), moved)).toBe(false)
  expect(isLinkCovered(pattern('make --dry-run *'), moved, { overridesRule: true })).toBe(true)
})

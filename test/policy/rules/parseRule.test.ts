import { describe, expect, it } from 'vitest'
import type { Behavior } from '../../../src/contracts/decision.ts'
import { commandPatternOf } from '../../../src/policy/matchers/parseCommandPattern.ts'
import type { RuleTarget } from '../../../src/policy/Policy.ts'
import { parseRule } from '../../../src/policy/rules/parseRule.ts'
import { sectionsOf } from '../../helpers/policy/sections.ts'

/** What a rule means. A star without a backslash stands for anything, `…` for more words. */
function meaningOf(target: RuleTarget): string {
  if (target.kind !== 'command') return Object.values(target).join(' ')
  const pattern = commandPatternOf(target)
  if (pattern.kind === 'any') return pattern.kind
  if (pattern.kind !== 'glob') return `${pattern.kind} ${pattern.words.join(' · ')}`
  const text = pattern.segments.map((segment) => segment.replaceAll('*', '\\*')).join('*')
  return `${pattern.kind} ${text.replaceAll('\0', ' · ')}${pattern.hasOptionalTail ? ' …' : ''}`
}

// Whether a rule can match anything is in `rules.txt`: a deny that cannot must never pass for one that can.
// Read what is said of it as its author does: `npx vitest run test/policy/rules/parseRule.test.ts -u` writes it.
it('says of each rule what it means, or why it can match nothing, and what to write instead', async () => {
  let all = ''
  for (const { name, text } of sectionsOf(new URL('rules.txt', import.meta.url))) {
    all += `=== ${name}\n`
    for (const line of text.split('\n').filter(Boolean)) {
      const [list = '', ...rest] = line.split(' ')
      const shown = rest.join(' ')
      const rule: string = shown.startsWith('"') ? JSON.parse(shown) : shown
      const { tool, target, problem } = parseRule(rule, list as Behavior)
      const isBroken = name.startsWith('broken')
      expect([line, target.kind === 'nothing', problem !== undefined]).toEqual([line, isBroken, isBroken])
      const edit = problem?.edit === undefined ? '' : ` → ${problem.edit}`
      all += `${line}\n  ${problem ? `${problem.kind}: ${problem.message}${edit}` : `${tool}: ${meaningOf(target)}`}\n`
    }
  }
  await expect(all).toMatchFileSnapshot('../golden/parsedRules.txt')
})

describe('parseRule', () => {
  const a = (length: number) => 'a'.repeat(length)
  it.each([
    [`Bash(${a(4_091)})`, 'the rule is longer than 4096 characters'],
    [`Bash(${a(4_090)})`, undefined],
    [`Read(${a(1_025)})`, 'the pattern is longer than 1024 characters'],
    [`Read("${a(1_024)})`, 'the pattern is longer than 1024 characters'],
    [`Read(  ${a(1_024)}  )`, undefined],
    [`WebFetch(domain:${a(1_023)},b)`, `"${a(1_023)},b" is not a host name`],
  ])('bounds the length: %#', (rule, message) => expect(parseRule(rule, 'deny').problem?.message).toBe(message))

  it('knows the tools of a library user, with any parameter', () => {
    expect(parseRule('Deploy', 'deny').problem?.kind).toBe('unknown')
    expect(parseRule('Deploy', 'allow', ['Deploy'])).toEqual({ tool: 'Deploy', target: { kind: 'bare' } })
    expect(parseRule('Sleep(where:prod)', 'deny', ['Sleep']).problem).toBeUndefined()
  })
})

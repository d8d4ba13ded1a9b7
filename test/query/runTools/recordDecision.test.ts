import { describe, expect, it } from 'vitest'
import type { Decision } from '../../../src/contracts/decision.ts'
import { decisionEvent, describeReason } from '../../../src/query/runTools/recordDecision.ts'
import { callRunner, use } from '../../helpers/runs/callLab.ts'

const rule = (line: number) => ({ list: 'deny', tool: 'Bash', text: 'Bash(rm *)', file: 'p.yml', line })
const deny = (reason: unknown) => ({ behavior: 'deny', message: '', reason, parts: [] }) as unknown as Decision

describe('the reason of a decision, for people', () => {
  it.each([
    [{ type: 'rule', rule: rule(3) }, 'deny rule Bash(rm *) (p.yml:3)'],
    [{ type: 'rule', rule: rule(0) }, 'deny rule Bash(rm *) (p.yml)'],
    [{ type: 'mode', mode: 'plan' }, 'permission mode plan'],
    [{ type: 'hook', event: 'PreToolUse', hook: 'h.sh', detail: 'not now' }, 'PreToolUse hook h.sh: not now'],
    [{ type: 'protected', path: '.git', detail: 'it is git’s' }, '.git: it is git’s'],
    [{ type: 'effect', path: 'a', detail: 'no rule' }, 'a: no rule'],
    [{ type: 'classifier', model: 'm', detail: 'it looks odd' }, 'm: it looks odd'],
    [{ type: 'tool', detail: 'the tool says so' }, 'the tool says so'],
    [{ type: 'headless', detail: 'nobody is there' }, 'nobody is there'],
  ])('%j', (reason, words) => expect(describeReason(deny(reason))).toBe(words))
})

it('a call that only an audit let through is recorded with the rules that it lacks', () => {
  const { runner } = callRunner()
  const tool = runner.find('TaskCreate')
  if (tool === undefined) throw new Error('no tool')
  const recorded = (type: string) => {
    const decision = { ...deny({ type, detail: '' }), behavior: 'allow', suggestion: ['A', 'B'] }
    return decisionEvent(use('TaskCreate'), tool, { decision, ruled: { behavior: 'ask' } } as never, runner)
  }
  expect(recorded('audit')).toMatchObject({ suggestion: 'A, B', decision: 'allow', behavior: 'ask' })
  expect(recorded('rule')).not.toHaveProperty('suggestion')
})

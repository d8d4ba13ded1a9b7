import { describe, expect, it } from 'vitest'
import { NO_USAGE } from '../../src/contracts/messages.ts'
import { createLimits, type LimitSettings } from '../../src/query/createLimits.ts'

const MOST: LimitSettings = { turns: 10, budgetUsd: 1, tokens: undefined, toolCalls: 5, denials: 3 }
const DENY = { behavior: 'deny', reason: { type: 'headless', detail: '' }, message: '', parts: [] } as const

/** A dollar per million tokens; `mystery` has no price. */
function price(model: string, { input_tokens }: { input_tokens: number }): number | null {
  return model === 'mystery' ? null : input_tokens / 1_000_000
}

function limitsOf(changes: Partial<LimitSettings> = {}) {
  return createLimits({ ...MOST, ...changes }, price)
}

const tokens = (input_tokens: number) => ({ ...NO_USAGE, input_tokens })

describe('createLimits', () => {
  it('lets a run continue below every limit', () => {
    const limits = limitsOf()
    limits.countUsage('known', tokens(999_999), 5)
    limits.countTurn()
    expect(limits.reached()).toBeUndefined()
  })

  it('ends it at the budget', () => {
    const limits = limitsOf()
    limits.countUsage('known', tokens(1_000_000), 5)
    expect(limits.reached()).toMatchObject({ reason: 'max_budget', detail: expect.stringContaining('1.0000 USD') })
  })

  it('still counts money if another model has no price', () => {
    const limits = limitsOf()
    limits.countUsage('mystery', tokens(10), 5)
    expect(limits.reached()).toBeUndefined()
    limits.countUsage('known', tokens(1_000_000), 5)
    expect(limits.reached()?.reason).toBe('max_budget')
  })

  it('limits the tokens of models without a price', () => {
    const limits = limitsOf()
    limits.countUsage('mystery', tokens(2_000_000), 5)
    expect(limits.reached()).toMatchObject({ reason: 'max_budget', detail: expect.stringContaining('without a price') })
    const named = limitsOf({ tokens: 3_000_000 })
    named.countUsage('mystery', tokens(2_000_000), 5)
    expect(named.reached()).toBeUndefined()
  })

  it('lists the most frequent denials, including those of sub-agents', () => {
    const limits = limitsOf({ denials: 9 })
    const child = createLimits({ ...MOST, denials: 9 }, price, limits)
    const deny = (subject: string) => ({ ...DENY, parts: [{ subject, behavior: 'ask', reason: DENY.reason }] }) as const
    const allowed = { subject: 'ls', behavior: 'allow', reason: { type: 'builtin', detail: '' } } as const
    limits.countDecision(deny('write a.md'))
    limits.countDecision({ ...DENY, parts: [allowed, ...deny('git\npush').parts] })
    child.countDecision(deny('git push'))
    limits.countDecision({ ...DENY, reason: { type: 'effect', path: 'Makefile', detail: '' } })
    for (const subject of ['a', 'b', 'c', 'd'.repeat(100)]) limits.countDecision(deny(subject))
    limits.countDecision({ ...DENY, parts: [] })
    expect(limits.reached()).toEqual({
      reason: 'denial_limit',
      detail:
        'Denied calls: 9, the limit (--max-denials 9): 2 × git push, 1 × write a.md, 1 × changing Makefile, 1 × a, 1 × b and 2 others.',
    })
  })

  it('counts the usage of a sub-agent for its parent, whose limits apply', () => {
    const parent = limitsOf()
    const child = createLimits({ ...MOST, turns: 2, budgetUsd: undefined }, price, parent)
    child.countUsage('known', tokens(600_000), 5)
    child.countDecision(DENY)
    expect(child.takeToolCall()).toBeUndefined()
    expect(parent.totals()).toMatchObject({ denials: 1, toolCalls: 1, turns: 0, costUsd: 0.6, apiMs: 5 })
    parent.countUsage('known', tokens(600_000), 5)
    expect(child.reached()?.reason).toBe('max_budget')
    for (let i = 0; i < 4; i++) parent.takeToolCall()
    expect(child.takeToolCall()).toContain('limit of 5 tool calls')
  })

  it('lets a run that used all its calls finish; one more call ends it', () => {
    const limits = limitsOf({ toolCalls: 2 })
    expect([limits.takeToolCall(), limits.takeToolCall(), limits.reached()]).toEqual([undefined, undefined, undefined])
    expect(limits.takeToolCall()).toContain('limit of 2 tool calls')
    expect(limits.reached()).toMatchObject({
      reason: 'max_tool_calls',
      detail: expect.stringContaining('Tool calls: 2'),
    })
  })

  it('gives a sub-agent its own turns', () => {
    const parent = limitsOf()
    const child = createLimits({ ...MOST, turns: 1 }, price, parent)
    child.countTurn()
    expect([child.reached()?.reason, parent.reached()]).toEqual(['max_turns', undefined])
  })
})

import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/contracts/decision.ts'
import { NO_USAGE } from '../../src/contracts/messages.ts'
import { createLimits, type LimitSettings, type Limits } from '../../src/query/createLimits.ts'
import { table } from '../helpers/table.ts'

const MOST: LimitSettings = { turns: 10, budgetUsd: 1, tokens: undefined, toolCalls: 5, denials: 3 }
const DENY = { behavior: 'deny', reason: { type: 'headless', detail: '' }, message: '', parts: [] } as const

/** Tokens of every kind. */
const EACH = { input_tokens: 1, output_tokens: 10, cache_creation_input_tokens: 40, cache_read_input_tokens: 60 }

/** A dollar per million tokens; `mystery` has no price. */
function price(model: string, { input_tokens }: { input_tokens: number }): number | null {
  return model === 'mystery' ? null : input_tokens / 1_000_000
}

function limitsOf(changes: Partial<LimitSettings> = {}) {
  return createLimits({ ...MOST, ...changes }, price)
}

const deny = (subject: string) => ({ ...DENY, parts: [{ subject, behavior: 'ask', reason: DENY.reason }] }) as const
const tokens = (input_tokens: number) => ({ ...NO_USAGE, input_tokens })

describe('createLimits', () => {
  it('lets a run continue below every limit', () => {
    const limits = limitsOf()
    limits.countUsage('known', tokens(999_999), 5)
    limits.countTurn()
    expect(limits.reached()).toBeUndefined()
  })

  it('still counts money if another model has no price', () => {
    const limits = limitsOf()
    limits.countUsage('mystery', tokens(10), 5)
    expect(limits.reached()).toBeUndefined()
    limits.countUsage('known', tokens(1_000_000), 5)
    expect(limits.reached()?.reason).toBe('max_budget')
  })

  it('leaves models without a price to a limit of tokens, where there is one', () => {
    const named = limitsOf({ tokens: 3_000_000 })
    named.countUsage('mystery', tokens(2_000_000), 5)
    expect(named.reached()).toBeUndefined()
  })

  it('lists the most frequent denials, including those of sub-agents', () => {
    const limits = limitsOf({ denials: 9 })
    const child = createLimits({ ...MOST, denials: 9 }, price, limits)
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
        'Denied calls: 9, the limit (--max-denials 9): 2 × git push, 1 × write a.md, 1 × changing Makefile, 1 × a, 1 × b and 2 more.',
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

  const uses: Record<string, [Partial<LimitSettings>, (to: Limits) => void]> = {
    turns: [{ turns: 1 }, (to) => to.countTurn()],
    money: [{}, (to) => to.countUsage('known', tokens(1_000_000), 5)],
    tokens: [{ tokens: 40 }, (to) => to.countUsage('known', EACH, 5)],
    denials: [{ denials: 1 }, (to) => to.countDecision(DENY)],
    calls: [{ toolCalls: 0 }, (to) => void to.takeToolCall()],
    'tokens without a price': [{}, (to) => to.countUsage('mystery', tokens(2_000_000), 5)],
  }
  it.each(table`
    turns | max_turns | Turns taken: 1, the limit (--max-turns 1).
    money | max_budget | Spent: 1.0000 USD of 1 (--max-budget-usd).
    tokens | max_budget | Tokens used: 111 of 40 (--max-tokens-total).
    denials | denial_limit | Denied calls: 1, the limit (--max-denials 1).
    calls | max_tool_calls | Tool calls: 0, the limit (--max-tool-calls 0).
    tokens without a price | max_budget | Tokens of models without a price: 2000000 of 2000000.
  `)('says which limit is reached, and its number: %s', (what = '', reason, detail) => {
    const [changes, use] = uses[what] ?? expect.unreachable()
    const limits = limitsOf(changes)
    expect(limits.reached()).toBeUndefined()
    use(limits)
    expect(limits.reached()).toEqual({ reason, detail })
  })

  it('counts tokens of every kind, and those of models with a price not as ones without', () => {
    const limits = limitsOf({ budgetUsd: undefined })
    limits.countUsage('known', tokens(9_000_000), 5)
    limits.countUsage('mystery', { ...EACH, input_tokens: 1_999_889 }, 5)
    expect(limits.reached()).toBeUndefined()
    limits.countUsage('mystery', { ...NO_USAGE, cache_read_input_tokens: 1 }, 5)
    expect(limits.reached()?.detail).toContain('2000000')
  })

  it('ends an agent whose calls the judge of auto mode blocks three times in a row', () => {
    const limits = limitsOf({ denials: 100 })
    const blocked = { ...DENY, reason: { type: 'classifier', detail: '' } } as unknown as Decision
    const allowed = { ...DENY, behavior: 'allow' } as unknown as Decision
    for (const decision of [blocked, blocked, allowed, blocked, blocked, DENY]) limits.countDecision(decision)
    expect(limits.reached()).toBeUndefined()
    limits.countDecision(blocked)
    expect(limits.reached()).toEqual({
      reason: 'denial_limit',
      detail: 'The judge of auto mode blocked 3 calls in a row.',
    })
    expect(limits.totals().denials).toBe(6)
  })

  it('goes on from what a run has used before, and knows no cost where a model has no price', () => {
    const models = { known: { ...EACH, cost_usd: 0.25, requests: 2 } }
    const limits = createLimits(MOST, price, undefined, { turns: 3, tool_calls: 4, denials: 1, models })
    expect(limits.totals()).toEqual({
      ...{ turns: 3, toolCalls: 4, denials: 1, apiMs: 0, usage: EACH, costUsd: 0.25, byModel: models },
    })
    limits.countUsage('known', tokens(500_000), 7)
    limits.countTurn()
    expect(limits.takeToolCall()).toBeUndefined()
    expect(limits.takeToolCall()).toBe("the run's limit of 5 tool calls is reached.")
    expect(limits.totals()).toMatchObject({ turns: 4, toolCalls: 5, apiMs: 7, costUsd: 0.75 })
    expect(limits.totals().byModel['known']).toMatchObject({ cost_usd: 0.75, requests: 3, input_tokens: 500_001 })
    limits.countUsage('mystery', tokens(1), 1)
    limits.countUsage('mystery', tokens(1), 1)
    expect(limits.totals().costUsd).toBeNull()
    expect(limits.totals().byModel['mystery']).toMatchObject({ cost_usd: null, requests: 2 })
    expect(createLimits(MOST, price).totals().costUsd).toBe(0)
  })

  it('a denied call is named in one line of at most 80 characters', () => {
    const limits = limitsOf({ denials: 3 })
    for (const subject of ['a'.repeat(80), `${'b'.repeat(79)}\n\t cd`, 'x']) limits.countDecision(deny(subject))
    expect(limits.reached()?.detail).toBe(
      `Denied calls: 3, the limit (--max-denials 3): 1 × ${'a'.repeat(80)}, 1 × ${'b'.repeat(79)} …, 1 × x.`,
    )
  })
})

import { describe, expect, it } from 'vitest'
import type { AssistantContent } from '../../src/contracts/messages.ts'
import { NO_USAGE } from '../../src/contracts/messages.ts'
import { createIdRepair } from '../../src/query/createIdRepair.ts'
import { createLimits } from '../../src/query/createLimits.ts'

const use = (id: string): AssistantContent => ({ type: 'tool_use', id, name: 'Read', input: {} })

describe('createIdRepair', () => {
  it('keeps valid ids and replaces repeated, empty and invalid ones', () => {
    const repair = createIdRepair([{ role: 'assistant', content: [use('toolu_1')] }])
    const ids = [use('toolu_2'), use('toolu_2'), use('toolu_1'), use(''), use(''), use('a b')].map(
      (block) => (repair(block) as { id: string }).id,
    )
    expect(ids[0]).toBe('toolu_2')
    expect(new Set([...ids, 'toolu_1']).size).toBe(7)
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]+$/)
  })
})

describe('createLimits', () => {
  const most = { turns: 2, budgetUsd: 1, tokens: undefined, toolCalls: 3, denials: 2 }
  const price = (_model: string, usage: { input_tokens: number }) => usage.input_tokens / 1000

  it('reaches each limit exactly when it is used up', () => {
    const limits = createLimits(most, price)
    limits.countTurn()
    limits.countUsage('m', { ...NO_USAGE, input_tokens: 999 }, 1)
    expect([limits.takeToolCall(), limits.takeToolCall(), limits.reached()]).toEqual([undefined, undefined, undefined])
    limits.countUsage('m', { ...NO_USAGE, input_tokens: 1 }, 1)
    expect(limits.reached()?.reason).toBe('max_budget')
    expect([limits.takeToolCall(), limits.takeToolCall()]).toEqual([undefined, expect.stringContaining('3 tool calls')])
  })

  it('counts a sub-agent for its parent, whose limits apply to both', () => {
    const parent = createLimits(most, price)
    const child = createLimits({ ...most, turns: 100 }, price, parent)
    child.countTurn()
    child.countUsage('m', { ...NO_USAGE, input_tokens: 1000 }, 1)
    expect([parent.totals().turns, parent.totals().costUsd, child.reached()?.reason]).toEqual([0, 1, 'max_budget'])
  })

  it('has no cost if a model has no price', () => {
    const limits = createLimits(most, () => null)
    limits.countUsage('m', { ...NO_USAGE, input_tokens: 5 }, 1)
    expect([limits.totals().costUsd, limits.reached()]).toEqual([null, undefined])
  })
})

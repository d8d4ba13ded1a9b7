import { describe, expect, it } from 'vitest'
import type { AssistantContent, Message } from '../../src/contracts/messages.ts'
import { NO_USAGE } from '../../src/contracts/messages.ts'
import { createIdRepair } from '../../src/query/askModel.ts'
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

  it.each([
    ['a good one', 'toolu_9', 'toolu_9'],
    ['of 128 characters', 'x'.repeat(128), 'x'.repeat(128)],
    ['of more', 'x'.repeat(129), 'toolu_repaired_2'],
    ['none', '', 'toolu_repaired_2'],
    ['with a sign that the API rejects', 'a b', 'toolu_repaired_2'],
    ['that was there', 'toolu_1', 'toolu_1_4'],
    ['that was there, and is long', 'y'.repeat(120), `${'y'.repeat(100)}_2`],
  ])('an id %s', (_, id, expected) => {
    const earlier = ['toolu_1', 'toolu_1_2', 'toolu_1_3', 'y'.repeat(120)].map(use)
    const repair = createIdRepair([{ role: 'assistant', content: earlier }])
    const block = use(id)
    const repaired = repair(block)
    expect(repaired).toEqual({ ...block, id: expected })
    if (id === expected) expect(repaired).toBe(block)
    expect(repair({ type: 'text', text: id })).toEqual({ type: 'text', text: id })
  })

  it('an id in what the user sent, or of another block, is free', () => {
    const result = { type: 'tool_result', tool_use_id: 'a', id: 'a', content: '' }
    const other = { type: 'server_tool_use', id: 'b', name: 'x', input: {} }
    const repair = createIdRepair([
      { role: 'user', content: [{ ...use('c') }, result] },
      { role: 'assistant', content: [other] },
    ] as unknown as Message[])
    expect(['a', 'b', 'c'].map((id) => repair(use(id)))).toEqual(['a', 'b', 'c'].map(use))
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

import { describe, expect, it } from 'vitest'
import type { AssistantContent, Message } from '../../src/contracts/messages.ts'
import { createIdRepair } from '../../src/query/askModel.ts'

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

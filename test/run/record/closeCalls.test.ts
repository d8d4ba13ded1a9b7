import { expect, it } from 'vitest'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { createPairing } from '../../../src/report/transcript/pairing.ts'
import { closeCalls } from '../../../src/run/record/closeCalls.ts'

const usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }

function asks(parent: string | null, ...ids: readonly string[]): RunEvent {
  const content = ids.map((id) => ({ type: 'tool_use' as const, id, name: 'Bash', input: {} }))
  const answer = { id: 'x', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', usage } as const
  return { type: 'assistant', message: { ...answer, content }, parent_tool_use_id: parent }
}

function tells(parent: string | null, ...ids: readonly string[]): RunEvent {
  const content = ids.map((id) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'done' }))
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: parent }
}

const discarded = {
  type: 'system',
  subtype: 'turn_discarded',
  early: [],
  parent_tool_use_id: null,
} as unknown as RunEvent

it.each<[string, readonly RunEvent[], readonly (readonly [string | null, readonly string[]])[]]>([
  ['nothing', [], []],
  ['a call with its result', [asks(null, 'a'), tells(null, 'a')], []],
  ['some of a message', [asks(null, 'a', 'b', 'c'), tells(null, 'a')], [[null, ['b', 'c']]]],
  [
    'the inner loop first',
    [asks(null, 'a'), asks('a', 'b', 'c')],
    [
      ['a', ['b', 'c']],
      [null, ['a']],
    ],
  ],
  ['not what was discarded', [asks(null, 'a'), asks('a', 'b'), discarded], [['a', ['b']]]],
])('closes %s', (_what, events, expected) => {
  const pairing = createPairing()
  for (const event of events) expect(pairing.add(event)).toEqual([])
  const closed = closeCalls(pairing.asked())
  const ids = closed.map(({ message, parent_tool_use_id }) => [
    parent_tool_use_id,
    message.content.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : [])),
  ])
  expect(ids).toEqual(expected)
  expect(
    closed.flatMap(({ tool_use_result = [] }) => tool_use_result).every(({ outcome }) => outcome === 'aborted'),
  ).toBe(true)
  for (const event of closed) expect(pairing.add(event)).toEqual([])
  expect(pairing.open()).toEqual([])
})

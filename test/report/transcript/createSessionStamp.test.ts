import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { NO_USAGE } from '../../../src/contracts/messages.ts'
import { createSessionStamp } from '../../../src/report/transcript/createSessionStamp.ts'
import { INIT } from '../../helpers/runs/events.ts'

const TIME = '2026-11-28T10:00:00.000Z'
const usage = { ...NO_USAGE, output_tokens: 7 }

const says = (id: string, parent_tool_use_id: string | null = null): RunEvent => ({
  type: 'assistant',
  parent_tool_use_id,
  message: { role: 'assistant', type: 'message', id, model: 'm', stop_reason: 'end_turn', usage, content: [] },
})
const hears = (parent_tool_use_id: string | null = null): RunEvent => ({
  type: 'user',
  parent_tool_use_id,
  message: { role: 'user', content: [] },
})
const discards = (message_id?: string): RunEvent => ({
  ...{ type: 'system', subtype: 'turn_discarded', reason: 'cut', blocks: 1, early: [], parent_tool_use_id: null },
  ...(message_id === undefined ? { spent: { model: 'm', usage } } : { message_id }),
})

/** For each event the place of its parent among the events, `null` for a root, and undefined if it is in no chain. */
function parentsOf(events: readonly RunEvent[]): (number | null | undefined)[] {
  const stamp = createSessionStamp({ sessionId: 's', costOf: () => 1 })
  const fields = events.map((event) => stamp(event, TIME))
  expect(new Set(fields.map(({ uuid }) => uuid)).size).toBe(events.length)
  const places = new Map(fields.map(({ uuid }, index) => [uuid, index]))
  return fields.map(({ parentUuid }) => (parentUuid == null ? parentUuid : places.get(parentUuid)))
}

describe('the chain of messages', () => {
  it.each<[string, readonly RunEvent[], readonly (number | null | undefined)[]]>([
    ['follows the conversation', [INIT, hears(), says('a'), hears()], [undefined, null, 1, 2]],
    ['keeps sub-agents apart', [hears(), says('a'), hears('t'), says('b', 't'), hears()], [null, 0, null, 2, 1]],
    ['leaves out a discarded answer', [hears(), says('a'), discards('a'), says('b')], [null, 0, undefined, 0]],
    ['starts again after a discarded first', [says('a'), discards('a'), says('b')], [null, undefined, null]],
    ['knows only the last answer', [hears(), says('a'), discards('x'), says('b')], [null, 0, undefined, 1]],
    ['is not broken by a broken stream', [hears(), discards(), says('b')], [null, undefined, 0]],
  ])('%s', (_, events, parents) => expect(parentsOf(events)).toEqual(parents))
})

describe('the fields', () => {
  const stamp = createSessionStamp({ sessionId: 's', costOf: (_, { output_tokens }) => output_tokens / 10 })
  const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
  const of = (event: RunEvent) => stamp(event, TIME)

  it('of messages are those of Claude Code', () => {
    expect(of({ ...INIT, base: { commit: 'f'.repeat(40), branch: 'work' } })).toEqual({ uuid })
    const place = { cwd: '/srv/repo', version: '0.1.0', gitBranch: 'work' }
    const each = { uuid, timestamp: TIME, sessionId: 's', userType: 'external', parentUuid: null, ...place }
    expect(of(hears())).toEqual({ ...each, isSidechain: false })
    expect(of(says('a', 't'))).toEqual({ ...each, isSidechain: true, costUSD: 0.7 })
  })

  it('of other requests have the usage where readers look for it', () => {
    const spent = { uuid, timestamp: TIME, sessionId: 's', message: { model: 'm', usage } }
    expect(of(discards())).toEqual({ ...spent, costUSD: 0.7 })
    const call = { type: 'system', subtype: 'model_call', parent_tool_use_id: null, purpose: 'compaction' } as const
    const asked = { ...call, model: 'm', prompt: '', answer: '', usage }
    expect(of({ ...asked, cost_usd: 0.5 })).toEqual({ ...spent, costUSD: 0.5 })
    expect(of({ ...asked, cost_usd: null })).toEqual(spent)
  })

  it('name no price that is not known, and no branch outside of git', () => {
    const free = createSessionStamp({ sessionId: 's', costOf: () => null })
    free({ ...INIT, base: null }, TIME)
    const fields = free(says('a'), TIME)
    expect([fields.costUSD, fields.gitBranch, fields.cwd]).toEqual([undefined, undefined, '/srv/repo'])
  })
})

import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../../src/contracts/events.ts'
import type { AssistantContent, Message, ToolUseBlock } from '../../../src/contracts/messages.ts'
import { createConversationFold } from '../../../src/run/loop/createConversationFold.ts'
import { pairCalls } from '../../../src/run/resume/pairCalls.ts'
import { buildEvents, INIT, sampleRun } from '../../helpers/runs/events.ts'

const main = { type: 'system', parent_tool_use_id: null } as const
const use = (id: string): ToolUseBlock => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } })

function fold(events: readonly RunEvent[]) {
  const made = createConversationFold(() => 0.01)
  for (const event of events) made.add(event)
  return made.conversation()
}

function answer(id: string, content: readonly AssistantContent[], stop_reason: string): RunEvent {
  const usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const head = { id, type: 'message', role: 'assistant', model: 'm' } as const
  return { type: 'assistant', parent_tool_use_id: null, message: { ...head, content, stop_reason, usage } }
}

const words = (text: string) => [{ type: 'text', text }] as const
const said = (text: string): RunEvent => ({
  type: 'user',
  parent_tool_use_id: null,
  message: { role: 'user', content: words(text) },
})

describe('a recorded conversation', () => {
  it('has the task first, alternates, and counts what was used', () => {
    const seen = fold(sampleRun())
    expect(seen.messages[0]).toEqual({ role: 'user', content: words(INIT.prompt) })
    expect(seen.messages.every((message, index) => message.role !== seen.messages[index - 1]?.role)).toBe(true)
    expect(seen).toMatchObject({ task: INIT.prompt, used: { turns: 6, tool_calls: 5, denials: 1 }, interrupted: [] })
    expect(seen.files.changed).toEqual(['src/add.js'])
    expect(seen.denied).toEqual([expect.stringContaining('git push origin main')])
  })

  it.each<[string, readonly RunEvent[], readonly string[]]>([
    ['a void answer', [answer('a', [use('x')], 'max_tokens'), discarded('a')], ['task']],
    [
      'a paused answer before one that was cut in its stream',
      [answer('a', words('p'), 'pause_turn'), discarded()],
      ['task', 'p'],
    ],
    [
      'a paused answer and its void rest',
      [answer('a', words('p'), 'pause_turn'), answer('b', words('q'), 'max_tokens'), discarded('b')],
      ['task', 'p'],
    ],
    ['a refusal', [answer('a', words('no'), 'refusal')], ['task']],
    ['an empty answer', [answer('a', [], 'end_turn'), said('go on')], ['task+go on']],
    ['what was before a compaction', [answer('a', words('x'), 'end_turn'), said('y'), boundary('short')], ['short']],
    [
      'the messages of a sub-agent',
      [{ ...answer('a', words('x'), 'end_turn'), parent_tool_use_id: 'toolu_1' } as RunEvent],
      ['task'],
    ],
  ])('does not have %s twice or at all', (_, events, texts) => {
    const { messages } = fold([INIT, said('task'), ...events])
    expect(
      messages.map(({ content }) => content.map((block) => ('text' in block ? block.text : '?')).join('+')),
    ).toEqual(texts)
  })

  it("keeps the agent's steps and the shared tasks separate", () => {
    const task = { id: '3', subject: 'Paint', description: 'the door', status: 'pending', blockedBy: [] } as const
    const steps = { id: '1', subject: 'Look', status: 'pending' }
    const shown = (tasks: readonly { id: string; subject: string; status: string }[]): RunEvent => ({
      ...main,
      subtype: 'tasks',
      tasks,
    })
    expect(fold([INIT, said('task'), shown([task]), shown([steps])]).tasks).toEqual([task])
  })

  it('knows which calls had started', () => {
    const { events, say } = buildEvents()
    say([use('ran'), use('waited')])
    const intent = {
      ...main,
      subtype: 'tool_intent',
      tool_name: 'Bash',
      tool_input: {},
      is_read_only: false,
      activity: '',
    } as const
    const seen = fold([INIT, said('task'), ...events, { ...intent, tool_use_id: 'ran' }])
    expect(seen.interrupted).toEqual([{ tool_use_id: 'ran', tool_name: 'Bash', is_read_only: false }])
  })
})

function discarded(message_id?: string): RunEvent {
  const named = message_id === undefined ? {} : { message_id }
  return { ...main, subtype: 'turn_discarded', reason: 'cut', blocks: 1, early: [], ...named }
}

function boundary(summary: string): RunEvent {
  const compact_metadata = { trigger: 'auto', pre_tokens: 9, post_tokens: 1 } as const
  return { ...main, subtype: 'compact_boundary', compact_metadata, summary }
}

describe('a conversation that the API accepts', () => {
  const asked: Message = { role: 'assistant', content: [use('a'), use('b')] }
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }) as const
  const task: Message = { role: 'user', content: words('task') }

  it('is unchanged if it is intact; calls at its end are open', () => {
    const whole: Message[] = [task, asked, { role: 'user', content: [result('a'), result('b')] }]
    expect(pairCalls(whole)).toEqual({ messages: whole, open: [] })
    expect(pairCalls([task, asked])).toEqual({ messages: [task, asked], open: [use('a'), use('b')] })
  })

  it('gets missing results, and loses results without a call', () => {
    const { messages } = pairCalls([task, asked, { role: 'user', content: [result('b'), result('stray')] }])
    expect(messages.at(-1)?.content).toMatchObject([
      { tool_use_id: 'a', is_error: true },
      { tool_use_id: 'b', content: 'ok' },
    ])
  })

  it('starts with the user', () => {
    expect(pairCalls([{ role: 'assistant', content: words('x') }, task]).messages).toEqual([task])
    expect(pairCalls([asked, task])).toEqual({ messages: [task], open: [] })
  })
})

import { describe, expect, it } from 'vitest'
import type { ResultEvent, RunEvent } from '../../../src/contracts/events.ts'
import type { AssistantContent, Usage } from '../../../src/contracts/messages.ts'
import { createConversationFold } from '../../../src/run/loop/createConversationFold.ts'
import { endOf, INIT } from '../../helpers/runs/events.ts'

/** An event of the system, of the main loop or of the agent of this call. */
const sys = (subtype: string, more: object, owner: string | null = null) => ({
  ...{ type: 'system', subtype, parent_tool_use_id: owner, ...more },
})
const discard = (more: object = {}, owner: string | null = null) => sys('turn_discarded', { early: [], ...more }, owner)
const USAGE: Usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** The price is that of the model `paid`; others have none. */
function fold(...events: readonly object[]) {
  const made = createConversationFold((model, usage) => (model === 'paid' ? usage.output_tokens : null))
  for (const event of events) made.add(event as RunEvent)
  return made.conversation()
}

const text = (...words: readonly string[]) => words.map((word) => ({ type: 'text', text: word }) as const)

type Answer = { readonly id?: string; readonly owner?: string; readonly stop?: string }

function answer(content: readonly AssistantContent[], { id = 'a', owner, stop = 'end_turn' }: Answer = {}) {
  const head = { id, type: 'message', role: 'assistant', model: 'paid', usage: USAGE } as const
  return { type: 'assistant', parent_tool_use_id: owner ?? null, message: { ...head, content, stop_reason: stop } }
}

function user(content: readonly object[], results?: readonly object[], owner: string | null = null) {
  const tool_use_result = results === undefined ? {} : { tool_use_result: results }
  return { type: 'user', parent_tool_use_id: owner, message: { role: 'user', content }, ...tool_use_result }
}

describe('the answers of a record', () => {
  it('belong together where one paused, and stay apart from what the user says', () => {
    const { messages } = fold(
      user(text('task', 'and more')),
      answer(text('p'), { stop: 'pause_turn' }),
      answer(text('q'), { id: 'b' }),
      user(text('go')),
      user(text('on')),
    )
    expect(messages).toEqual([
      { role: 'user', content: text('task', 'and more') },
      { role: 'assistant', content: text('p', 'q') },
      { role: 'user', content: text('go', 'on') },
    ])
  })

  it('are taken back to what was before, with all that came after them', () => {
    const discarded = (message_id: string, owner?: string) => discard({ message_id }, owner)
    const before = [user(text('task')), answer(text('p'), { stop: 'pause_turn' }), answer(text('q'), { id: 'b' })]
    expect(fold(...before, discarded('b')).messages[1]?.content).toEqual(text('p'))
    // Another answer, one of a sub-agent, or one that the user has replied to is none of it.
    expect(fold(...before, discarded('a')).messages[1]?.content).toEqual(text('p', 'q'))
    expect(fold(...before, discarded('b', 'toolu_1')).messages[1]?.content).toEqual(text('p', 'q'))
    expect(fold(...before, user(text('go')), discarded('b')).messages).toHaveLength(3)
    expect(fold(user(text('task')), discarded('b')).messages).toHaveLength(1)
  })

  it('are none that the loop did not keep', () => {
    const kept = (stop: string, content = text('x')) =>
      fold(user(text('task')), answer(content, { stop })).messages.length
    expect(['refusal', 'odd', 'max_tokens', 'tool_use'].map((stop) => kept(stop))).toEqual([1, 1, 2, 2])
    expect(kept('end_turn', [])).toBe(1)
    // Of an answer that broke off in its stream, nothing was recorded.
    expect(fold(user(text('task')), answer(text('p'), { stop: 'pause_turn' }), discard()).messages).toHaveLength(2)
  })

  it('are priced once each, with those of sub-agents, of side requests and broken ones', () => {
    const { used } = fold(
      user(text('task')),
      answer(text('x')),
      answer(text('y')),
      answer(text('z'), { id: 'b', owner: 'toolu_1' }),
      sys('model_call', { model: 'paid', usage: USAGE, cost_usd: 7 }),
      discard({ spent: { model: 'paid', usage: { ...USAGE, output_tokens: 5 } } }),
      discard(),
    )
    expect(used.turns).toBe(2)
    expect(used.models).toEqual({
      paid: { ...USAGE, input_tokens: 40, output_tokens: 8, cost_usd: 1 + 1 + 7 + 5, requests: 4 },
    })
  })

  it('have no price if one of them has none, whichever', () => {
    const call = (cost_usd: number | null) => sys('model_call', { model: 'm', usage: USAGE, cost_usd })
    for (const calls of [
      [call(1), call(null)],
      [call(null), call(1)],
    ])
      expect(fold(...calls).used.models['m']).toMatchObject({ cost_usd: null, requests: 2 })
  })
})

describe('the calls of a record', () => {
  const intent = (id: string) => sys('tool_intent', { tool_use_id: id, tool_name: 'Bash', is_read_only: false })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
  const open = (...events: readonly object[]) => fold(...events).interrupted.map(({ tool_use_id }) => tool_use_id)

  it('are open until they have a result, also those of sub-agents and of a discarded answer', () => {
    const ids = ['a', 'b', 'c', 'd'].map((id) => intent(id))
    const early = discard({ early: [{ tool_use_id: 'c' }] })
    expect(open(...ids, user([...text('a'), result('a')]), user([result('b')], [], 'toolu_1'), early)).toEqual(['d'])
  })

  it('that were denied count all, and are named where the main loop asked', () => {
    const call = { tool_name: 'Bash', tool_input: { command: 'x' }, message: 'no' }
    const seen = fold(sys('permission_denied', call), sys('permission_denied', call, 'toolu_1'))
    expect([seen.used.denials, seen.denied]).toEqual([2, ['Bash {"command":"x"}: no']])
  })

  it('of sub-agents count among the calls, but not their turns and words', () => {
    const use = { type: 'tool_use', id: 'u', name: 'Read', input: {} } as const
    const seen = fold(
      user(text('task')),
      answer([...text('x'), use], { owner: 'toolu_1' }),
      user(text('y'), [], 'toolu_1'),
    )
    expect(seen.used).toMatchObject({ tool_calls: 1, turns: 0 })
    expect(seen.messages).toHaveLength(1)
  })
})

describe('the todos of a record', () => {
  const todo = (content: string, more: object = {}) => ({ content, status: 'pending', ...more })
  const write = (id: string, ...todos: readonly object[]) =>
    ({ type: 'tool_use', id, name: 'TodoWrite', input: { todos } }) as const
  const outcome = (id: string, change: object = {}) => ({
    ...{ tool_use_id: id, tool_name: 'TodoWrite', outcome: 'ok', ...change },
  })
  const todosAfter = (...results: readonly object[]) =>
    fold(
      user(text('task')),
      answer([...text('x'), write('first', todo('a')), write('second', todo('b', { activeForm: 'doing b' }))]),
      user([{ type: 'tool_result', tool_use_id: 'second', content: 'ok' }], results),
    ).todos

  it('are those of the last call that worked; without a form of its own, the words are the form', () => {
    expect(todosAfter(outcome('first'))).toEqual([{ content: 'a', status: 'pending', activeForm: 'a' }])
    expect(todosAfter(outcome('first'), outcome('second'))).toEqual([todo('b', { activeForm: 'doing b' })])
    expect(todosAfter(outcome('second'), outcome('first'))).toMatchObject([{ content: 'a' }])
  })

  it('are none of another tool, of a call that failed, of a sub-agent, or of a call that is not there', () => {
    expect(todosAfter(outcome('first', { tool_name: 'Bash' }))).toEqual([])
    expect(todosAfter(outcome('first', { outcome: 'error' }))).toEqual([])
    expect(todosAfter(outcome('third'))).toEqual([])
    expect(todosAfter()).toEqual([])
    const theirs = user([], [outcome('first')], 'toolu_1')
    expect(fold(answer([write('first', todo('a'))]), theirs).todos).toEqual([])
    expect(fold(answer([write('first', todo('a'))]), user(text('x'))).todos).toEqual([])
  })
})

describe('what the main loop has at hand', () => {
  it('is the tools that were loaded, each once, without those of sub-agents', () => {
    const loaded = (owner: string | null, ...tools: readonly string[]) => sys('tools_loaded', { tools }, owner)
    const seen = fold(loaded(null, 'A', 'B'), loaded(null, 'B', 'C'), loaded('toolu_1', 'D'))
    expect(seen.loadedTools).toEqual(['A', 'B', 'C'])
  })

  it('is the conversation without old images, once they were dropped', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const dropped = (change: object = {}) => sys('warning', { code: 'images_dropped', message: '', ...change })
    const isThere = (...events: readonly object[]) =>
      JSON.stringify(fold(user([...text('task'), image]), ...events).messages).includes('AAAA')
    expect(isThere()).toBe(true)
    expect(isThere(dropped())).toBe(false)
    expect(isThere(dropped({ code: 'unpriced' }))).toBe(true)
    expect(isThere({ ...dropped(), subtype: 'tasks', tasks: [] })).toBe(true)
    expect(isThere(dropped({ parent_tool_use_id: 'toolu_1' }))).toBe(true)
    expect(fold(user(text('task')), dropped()).messages).toEqual([{ role: 'user', content: text('task') }])
  })

  it('is a summary as a message of the user, and the files of before', () => {
    const edit = { type: 'tool_use', id: 'u', name: 'Edit', input: { file_path: 'a.js' } } as const
    const compact = (owner?: string) => sys('compact_boundary', { summary: 'so far' }, owner)
    const result = user([{ type: 'tool_result', tool_use_id: 'u', content: 'ok' }])
    const seen = fold(user(text('task')), answer([edit], { stop: 'tool_use' }), result, compact())
    expect(seen.messages).toEqual([{ role: 'user', content: text('so far') }])
    expect(seen.files.changed).toEqual(['a.js'])
    expect(seen.task).toBe('task')
    expect(fold(user(text('task')), compact('toolu_1')).messages[0]?.content).toEqual(text('task'))
  })

  it('is the task list of the run: one without descriptions or blockers is that of an agent', () => {
    const task = { id: '1', subject: 's', description: 'd', status: 'pending', blockedBy: [] }
    const tasks = (...shown: readonly object[]) => fold(sys('tasks', { tasks: shown })).tasks
    expect(tasks(task)).toEqual([task])
    for (const part of ['description', 'blockedBy'] as const) {
      const { [part]: _, ...rest } = task
      expect(tasks(task, rest)).toEqual([])
    }
  })
})

it('a resumed run goes on from all of it', () => {
  const resumed = {
    ...{ type: 'system', subtype: 'resumed', conversation: JSON.stringify([{ role: 'user', content: text('old') }]) },
    ...{ task: 'the first task', denied: ['Bash: no'], files: { read: ['r'], changed: ['c'] }, loaded_tools: ['A'] },
    used: { turns: 3, tool_calls: 4, denials: 5, models: { paid: { ...USAGE, cost_usd: 2, requests: 6 } } },
    interrupted: [{ tool_use_id: 'x', tool_name: 'Bash', is_read_only: false }],
    todos: [{ content: 'a', status: 'pending', activeForm: 'a' }],
    tasks: [{ id: '1', subject: 's', description: 'd', status: 'pending', blockedBy: [] }],
  }
  const seen = fold(INIT, resumed, user(text('go on')), answer(text('yes')))
  expect(seen).toMatchObject({
    ...{ init: INIT, result: null, task: 'the first task', denied: ['Bash: no'], loadedTools: ['A'] },
    ...{ files: resumed.files, todos: resumed.todos, tasks: resumed.tasks, interrupted: resumed.interrupted },
    changed: ['c'],
    messages: [
      { role: 'user', content: text('old', 'go on') },
      { role: 'assistant', content: text('yes') },
    ],
    used: { turns: 4, tool_calls: 4, denials: 5, models: { paid: { cost_usd: 3, requests: 7 } } },
  })
})

it('names the files that calls of any agent were to change, and those that their effects changed', () => {
  const intent = (tool_name: string, tool_input: object) =>
    sys('tool_intent', { tool_use_id: tool_name, tool_name, tool_input }, 'toolu_agent')
  const effects = sys('effects', { kept: [{ path: 'made' }], undone: [{ path: 'no' }] })
  const calls = [intent('Write', { file_path: 'w' }), intent('NotebookEdit', { notebook_path: 'n' })]
  expect(fold(INIT, ...calls, intent('Read', { file_path: 'r' }), effects).changed).toEqual(['w', 'n', 'made'])
})

it('nothing is known of an empty record, and the end of a whole one is', () => {
  expect(fold()).toEqual({
    ...{ init: null, result: null, messages: [], task: undefined, interrupted: [], denied: [], todos: [], tasks: [] },
    ...{ loadedTools: [], files: { read: [], changed: [] }, changed: [] },
    ...{ used: { turns: 0, tool_calls: 0, denials: 0, models: {} } },
  })
  const end: ResultEvent = endOf([])
  expect(fold(end).result).toBe(end)
  expect(fold(user(text('one', 'two'))).task).toBe('one\n\ntwo')
  expect(fold(user([{ type: 'tool_result', tool_use_id: 'x', content: 'ok' }])).task).toBe('')
})

import { expect, test } from 'vitest'
import type { Message, ToolResultBlock } from '../../../src/contracts/messages.ts'
import type { ToolSpec } from '../../../src/contracts/model.ts'
import { ask, startModel } from '../../helpers/model/modelRun.ts'

const spec = (name: string, more = {}): ToolSpec => ({
  name,
  description: `does ${name}`,
  input_schema: { type: 'object', properties: {} },
  ...more,
})
const offered = [spec('Read'), spec('ToolSearch')]
const think = spec('Think', { deferred: true })
const sleep = spec('Sleep', { deferred: true })

const task: Message = { role: 'user', content: [{ type: 'text', text: 'task' }] }
const searches = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'ToolSearch', input: { query: id } })),
})
const result = (id: string, references?: readonly string[]): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: `Loaded by ${id}`,
  ...(references === undefined ? {} : { references }),
})
const found: Message = {
  role: 'user',
  content: [result('t1', ['Think']), result('t2'), { type: 'text', text: 'a note' }],
}
const conversation = [task, searches('t1', 't2'), found]
const MARK = { cache_control: { type: 'ephemeral' } }

async function sent(options: object, tools: readonly ToolSpec[], messages: readonly Message[]) {
  const { client, server } = await startModel(() => ({ turn: { say: 'ok' } }), options)
  await ask(client, { tools, messages })
  return server.requests[0]?.body
}

test('a result that loads a tool refers to it; its text comes after the results of the message', async () => {
  const body = await sent({ toolReferences: true }, [...offered, think], conversation)
  expect(body.messages.at(-1).content).toEqual([
    { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'Think' }] },
    { type: 'tool_result', tool_use_id: 't2', content: 'Loaded by t2' },
    { type: 'text', text: 'Loaded by t1' },
    { type: 'text', text: 'a note', ...MARK },
  ])
  expect(body.tools).toEqual([
    offered[0],
    { ...offered[1], ...MARK },
    { name: 'Think', description: 'does Think', input_schema: think.input_schema, defer_loading: true },
  ])
})

test('tools and system prompt keep their bytes when a tool is loaded, and so does the conversation before', async () => {
  const before = await sent({ toolReferences: true }, offered, [task])
  const after = await sent({ toolReferences: true }, [...offered, think], conversation)
  const prefix = (body: { tools: object[] }) => body.tools.filter((tool) => !('defer_loading' in tool))
  expect(JSON.stringify(prefix(after))).toBe(JSON.stringify(before.tools))
  expect(JSON.stringify(after.system)).toBe(JSON.stringify(before.system))
  expect(JSON.stringify(after.messages[0])).toBe(JSON.stringify(before.messages[0]))
})

test('a loaded tool that no result refers to, as after a compaction, is sent as any other', async () => {
  const body = await sent({ toolReferences: true }, [...offered, think, sleep], conversation)
  expect(body.tools.map((tool: ToolSpec) => [tool.name, 'defer_loading' in tool])).toEqual([
    ['Read', false],
    ['ToolSearch', false],
    ['Sleep', false],
    ['Think', true],
  ])
})

test('a reference to a tool that is gone is text', async () => {
  const body = await sent({ toolReferences: true }, offered, conversation)
  expect(body.messages.at(-1).content[0]).toEqual({ type: 'tool_result', tool_use_id: 't1', content: 'Loaded by t1' })
})

test.each([
  ['an API of which nothing is known', {}, 'claude-sonnet-5-5'],
  ['a model that does not support them', { toolReferences: true }, 'claude-3-7-sonnet-20250219'],
])('%s gets text, and the tool at the end of the others', async (_, options, model) => {
  const { client, server } = await startModel(() => ({ turn: { say: 'ok' } }), options)
  await ask(client, { model, tools: [...offered, think], messages: conversation })
  const [request] = server.requests
  expect(request?.text).not.toMatch(/tool_reference|defer_loading|deferred|"references"/)
  expect(request?.body.messages.at(-1).content[0].content).toBe('Loaded by t1')
  expect(request?.body.tools.at(-1)).toMatchObject({ name: 'Think', ...MARK })
})

test('an API that refuses references gets the same conversation without them', async () => {
  const refusal = { status: 400, errorMessage: 'tools.2.custom.defer_loading: Extra inputs are not permitted' }
  const { client, server } = await startModel([refusal, { turn: { say: 'ok' } }], { toolReferences: true })
  const { message } = await ask(client, { tools: [...offered, think], messages: conversation })
  expect(message.content).toEqual([{ type: 'text', text: 'ok' }])
  expect(server.requests[0]?.text).toContain('tool_reference')
  expect(server.requests[1]?.text).not.toContain('tool_reference')
})

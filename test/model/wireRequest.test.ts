import { expect, test } from 'vitest'
import type { Message } from '../../src/contracts/messages.ts'
import { cacheMarks, wireRequest } from '../../src/model/wireRequest.ts'
import { ask, modelRequest, startModel } from '../helpers/model/modelRun.ts'

const CUT_EMOJI = '🎉'.slice(0, 1)

test('lone surrogates become U+FFFD everywhere, pairs are kept', async () => {
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: `a${CUT_EMOJI}b 🎉` }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't', name: 'Read', input: { [`k${CUT_EMOJI}`]: [CUT_EMOJI] } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: CUT_EMOJI }] }],
    },
  ]
  const { client, server } = await startModel([{ turn: { say: 'ok' } }])
  await ask(client, { messages, system: `s${CUT_EMOJI}` })
  const { body } = server.requests[0] ?? { body: undefined }
  expect(body.messages[0].content[0].text).toBe('a\uFFFDb 🎉')
  expect(body.messages[1].content[0].input).toEqual({ 'k\uFFFD': ['\uFFFD'] })
  expect(body.system[0].text).toBe('s\uFFFD')
})

test('blank text beside a call is not sent', () => {
  const use = { type: 'tool_use' as const, id: 't', name: 'Read', input: {} }
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'task' }] },
    { role: 'assistant', content: [{ type: 'text', text: '\n' }, use] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
  ]
  expect(wireRequest(modelRequest({ messages })).messages[1]?.content).toEqual([use])
})

test('parameters that the API removed are not sent', () => {
  expect(Object.keys(wireRequest(modelRequest()))).toEqual(['model', 'max_tokens', 'system', 'tools', 'messages'])
})

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const call = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a' } }],
})
const result = (id: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'text' }],
})

/** Where the marks stand, as paths. */
function markPaths(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'cache_control' in value ? [path] : []
  return [...own, ...Object.entries(value).flatMap(([key, part]) => markPaths(part, `${path}/${key}`))]
}

test('marks the last tool, the system prompt and the last block of the two latest user messages', () => {
  const tools = ['A', 'B'].map((name) => ({ name, description: '', input_schema: { type: 'object' } }))
  const messages = [user('task'), call('t1'), result('t1'), call('t2'), result('t2')]
  expect(markPaths(cacheMarks({ system: 's', tools, messages }))).toEqual([
    '/system/0',
    '/tools/1',
    '/messages/2/content/0',
    '/messages/4/content/0',
  ])
})

test('an absent system prompt and absent tools are left out', () => {
  const marked = cacheMarks({ system: '', tools: [], messages: [user('task')] })
  expect(Object.keys(marked)).toEqual(['messages'])
})

test('each request starts with the bytes of the previous one, except for moved marks', async () => {
  const { client, server } = await startModel(() => ({ turn: { say: 'ok' } }))
  const messages: Message[] = [user('task 🎉')]
  for (let turn = 1; turn <= 5; turn += 1) {
    await ask(client, { messages: [...messages] })
    messages.push(call(`t${turn}`), result(`t${turn}`))
  }
  const mark = ',"cache_control":{"type":"ephemeral"}'
  const bodies = server.requests.map((request) => request.text)
  for (const [index, body] of bodies.entries()) {
    expect(body.split(mark).length - 1).toBe(index === 0 ? 3 : 4)
    if (index === 0) continue
    const before = bodies[index - 1]?.replaceAll(mark, '') ?? ''
    const grown = before.slice(0, before.lastIndexOf(']'))
    expect(body.replaceAll(mark, '').startsWith(grown)).toBe(true)
    const head = (text: string) => text.slice(0, text.indexOf('"messages"'))
    expect(head(body)).toBe(head(bodies[index - 1] ?? ''))
  }
})

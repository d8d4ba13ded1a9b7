import { expect, test } from 'vitest'
import { checkMessagesRequest } from './checkMessagesRequest.ts'
import type { RecordedRequest } from './messagesServer.ts'

const text = (value: string) => ({ type: 'text', text: value })
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })

function check(changes: Record<string, unknown>, headers: Record<string, string> = {}): string[] {
  const body = { model: 'm', max_tokens: 10, messages: [user(text('task'))], ...changes }
  const request: RecordedRequest = {
    ...{ index: 0, method: 'POST', path: '/v1/messages' },
    headers: { authorization: 'Bearer canary-key', 'anthropic-version': '2026-10-21', ...headers },
    text: JSON.stringify(body),
    body,
  }
  return checkMessagesRequest(request, ['canary-key'])
}

test('good requests pass', () => {
  expect(check({})).toEqual([])
  const messages = [
    user(text('task')),
    assistant(text('a'), use('1'), use('2')),
    user(result('1'), result('2'), text('b')),
  ]
  expect(check({ messages })).toEqual([])
})

test.each([
  ['no messages', { messages: [] }],
  ['max_tokens', { max_tokens: 0 }],
  ['temperature', { temperature: 1 }],
  ['first message', { messages: [assistant(text('a'))] }],
  ['two user messages', { messages: [user(text('a')), user(text('b'))] }],
  ['no content', { messages: [user()] }],
  ['empty text block', { messages: [user(text(' \n'))] }],
  ['empty system', { system: '' }],
  ['tool_use 1 has no tool_result', { messages: [user(text('a')), assistant(use('1')), user(text('b'))] }],
  [
    'tool_result 9 has no tool_use',
    { messages: [user(text('a')), assistant(use('1')), user(result('1'), result('9'))] },
  ],
  ['two tool_results', { messages: [user(text('a')), assistant(use('1')), user(result('1'), result('1'))] }],
  ['after other content', { messages: [user(text('a')), assistant(use('1')), user(text('b'), result('1'))] }],
  ['unanswered tool_use', { messages: [user(text('a')), assistant(use('1'))] }],
  ['id 1 twice', { messages: [user(text('a')), assistant(use('1'), use('1')), user(result('1'))] }],
  ['tool_use of the user', { messages: [user(use('1'))] }],
  ['lone surrogate', { messages: [user(text('a\ud83d'))] }],
  ['not of type object', { tools: [{ name: 'A', input_schema: {} }] }],
  ['anyOf at the top', { tools: [{ name: 'A', input_schema: { type: 'object', anyOf: [] } }] }],
  ['tool name', { tools: [{ name: 'a b', input_schema: { type: 'object' } }] }],
  ['two tools', { tools: Array(2).fill({ name: 'A', input_schema: { type: 'object' } }) }],
  ['cache_control marks', { system: Array(5).fill({ ...text('s'), cache_control: {} }) }],
  ['secret', { system: 'my canary-key' }],
])('%s is found', (problem, changes) => {
  expect(check(changes).join('\n')).toContain(problem)
})

test('the credential may appear only in its own headers', () => {
  expect(check({}, { 'x-api-key': 'canary-key' })).toEqual([])
  expect(check({}, { 'user-agent': 'canary-key' }).join()).toContain('secret')
})

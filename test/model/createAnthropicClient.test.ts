import { expect, it, test } from 'vitest'
import { assertBaseUrl } from '../../src/model/createAnthropicClient.ts'
import { collect, modelRequest, startModel } from '../helpers/model/modelRun.ts'

test('yields each block when it is complete, and the message last', async () => {
  const { client, server } = await startModel([
    { turn: { think: 'hm', say: 'Reading.', tools: [{ name: 'Read', input: { file_path: '/a' } }] } },
  ])
  const { events, message } = await collect(client.stream(modelRequest(), new AbortController().signal))
  expect(events.map((event) => event.type)).toEqual(['block', 'block', 'block', 'message'])
  expect(message.content).toEqual([
    { type: 'thinking', thinking: 'hm', signature: 'signature-test_1' },
    { type: 'text', text: 'Reading.' },
    { type: 'tool_use', id: 'toolu_test_1_1', name: 'Read', input: { file_path: '/a' } },
  ])
  expect(message.stop_reason).toBe('tool_use')
  expect(message.usage.output_tokens).toBe(20)
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-ant-test-0123456789abcdefghij')
  expect(server.requests[0]?.body.stream).toBe(true)
})

it.each([
  ['https://api.example/v1/', 'https://api.example/v1'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://127.1', 'http://127.0.0.1'],
  ['http://localhost', 'http://localhost'],
  ['http://[::1]:1/', 'http://[::1]:1'],
])('%s is taken as %s', (url, taken) => {
  expect(assertBaseUrl(url, false)).toBe(taken)
})

it.each([
  'http://127.evil.example',
  'http://127.0.0.1.evil.example',
  'http://localhost.evil.example',
  'http://[::2]',
  'http://api.example',
])('%s is no loopback: the key is not sent there in clear text', (url) => {
  expect(() => assertBaseUrl(url, false)).toThrow('in clear text')
  expect(assertBaseUrl(url, true)).toBe(url)
})

it.each([
  ['api.example', 'is not a URL'],
  ['ftp://api.example', 'is ftp:// and not https://'],
  ['https://me:word@api.example', 'contains a user name or password'],
  ['https://api.example?a=b', 'has a query or fragment'],
])('%s %s', (url, problem) => {
  expect(() => assertBaseUrl(url, true)).toThrow(problem)
})

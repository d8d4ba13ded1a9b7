import { expect, test } from 'vitest'
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

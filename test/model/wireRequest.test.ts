import { expect, test } from 'vitest'
import type { Message } from '../../src/contracts/messages.ts'
import { wireRequest } from '../../src/model/wireRequest.ts'
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

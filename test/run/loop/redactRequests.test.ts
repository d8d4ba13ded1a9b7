import { expect, it } from 'vitest'
import type { Message } from '../../../src/contracts/messages.ts'
import type { ModelClient, ModelRequest } from '../../../src/contracts/model.ts'
import { redactRequests } from '../../../src/run/loop/redactRequests.ts'

const forModel = (text: string) => text.replaceAll('SECRET', '[REDACTED:X]')

function recording(): { readonly client: ModelClient; readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  const client: ModelClient = {
    name: 'replay',
    host: null,
    async *stream(request) {
      requests.push(request)
      yield* []
    },
    close: async () => undefined,
  }
  return { client: redactRequests(client, forModel), requests }
}

it("redacts everything except the model's own messages", async () => {
  const { client, requests } = recording()
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'task SECRET' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'X', input: { text: 'SECRET' } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: '1', content: 'got SECRET' },
        { type: 'tool_result', tool_use_id: '2', content: [{ type: 'text', text: 'SECRET' }, picture] },
      ],
    },
  ]
  const tools = [{ name: 'X', description: 'knows SECRET', input_schema: { description: 'SECRET' } }]
  const request = { model: 'm', system: 'system SECRET', tools, messages, maxTokens: 1 }
  for (const _ of [1, 2]) for await (const _event of client.stream(request, new AbortController().signal));
  const [first, second] = requests
  const [, words, ...others] = first?.messages ?? []
  expect(words).toBe(messages[1])
  expect(JSON.stringify([first?.system, first?.tools, first?.messages[0], others])).not.toContain('SECRET')
  expect(JSON.stringify(first).split('[REDACTED:X]')).toHaveLength(7)
  expect(second).toEqual(first)
  expect(second?.messages[0]?.content[0]).toBe(first?.messages[0]?.content[0])
})

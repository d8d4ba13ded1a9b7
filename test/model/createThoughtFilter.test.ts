import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/contracts/messages.ts'
import { ask, startModel } from '../helpers/model/modelRun.ts'

const REFUSAL = {
  status: 400,
  errorMessage:
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.',
}
const OK = { turn: { say: 'ok' } }

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const thought = (n: number) => ({ type: 'thinking', thinking: '', signature: `s${n}` })
const answer = (n: number, ...more: readonly object[]): Message =>
  ({ role: 'assistant', content: [thought(n), ...more] }) as unknown as Message
const said = (text: string) => ({ type: 'text', text })

const typesIn = (body: { messages: { role: string; content: { type: string }[] }[] }) =>
  body.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content.map(({ type }) => type).join())

describe('an API that refuses thoughts of an earlier prefix', () => {
  it('is asked again without them, and gets only later ones from then on', async () => {
    const { client, server } = await startModel([REFUSAL, OK, OK])
    const before = [user('a'), answer(1, said('b')), user('c')]
    const first = await ask(client, { messages: before })
    await ask(client, { messages: [...before, answer(2, said('d')), user('e')] })
    expect(server.requests.map(({ body }) => typesIn(body))).toEqual([
      ['thinking,text'],
      ['text'],
      ['text', 'thinking,text'],
    ])
    expect(first.events.filter(({ type }) => type === 'retry')).toMatchObject([
      { status: 400, detail: expect.stringMatching(/; sent again without the thoughts so far$/) },
    ])
  })

  it('gets words for an answer that was nothing but thoughts', async () => {
    const { client, server } = await startModel([REFUSAL, OK])
    await ask(client, { messages: [user('a'), answer(1), user('c')] })
    expect(server.requests[1]?.body.messages[1].content).toEqual([said('(no words)')])
  })

  it('and still refuses, has the last word', async () => {
    const { client, server } = await startModel([REFUSAL, REFUSAL, OK])
    const { error } = await ask(client, { messages: [user('a'), answer(1, said('b')), user('c')] })
    expect(server.requests).toHaveLength(2)
    expect(String(error)).toContain('bound to a different conversation')
  })

  it.each([
    ['there are no thoughts', REFUSAL, {}],
    ['it refuses something else', { ...REFUSAL, errorMessage: 'bad' }, { messages: [user('a'), answer(1), user('c')] }],
    ['it is no refusal', { ...REFUSAL, status: 403 }, { messages: [user('a'), answer(1), user('c')] }],
  ])('has the last word at once where %s', async (_, refusal, request) => {
    const { client, server } = await startModel([refusal, OK])
    const { error } = await ask(client, request)
    expect(server.requests).toHaveLength(1)
    expect(String(error)).toContain(refusal.errorMessage)
  })
})

import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { openControl } from '../../../src/entry/control/openControl.ts'

function open() {
  const input = new PassThrough()
  const sent: { request_id?: string }[] = []
  const messages: unknown[] = []
  let onEnd: (why: unknown) => void = () => undefined
  const ended = new Promise((resolve) => (onEnd = resolve))
  const control = openControl({
    ...{ input, send: (message) => sent.push(message), onRequest: () => ({}) },
    ...{ onMessage: (message) => messages.push(message), onEnd: (why) => onEnd(why) },
  })
  return { input, sent, messages, ended, control }
}

const asks = () => {
  const { control, input, sent } = open()
  const answer = control.ask({ subtype: 'hook_callback' })
  const say = (response: object) => {
    const [{ request_id } = {}] = sent
    input.write(`${JSON.stringify({ type: 'control_response', response: { request_id, ...response } })}\n`)
  }
  return { answer, say }
}

it.each([
  ['an object', { subtype: 'success', response: { decision: 'block' } }, { decision: 'block' }],
  ['nothing', { subtype: 'success' }, {}],
  ['null', { subtype: 'success', response: null }, {}],
])('takes the answer %s', async (_, response, expected) => {
  const { answer, say } = asks()
  say(response)
  await expect(answer).resolves.toEqual(expected)
})

it.each([
  ['a text', { subtype: 'success', response: 'deny' }, 'the answer is no JSON object'],
  ['a list', { subtype: 'success', response: [{ decision: 'block' }] }, 'the answer is no JSON object'],
  ['an error', { subtype: 'error', error: 'no such hook' }, 'no such hook'],
  ['no kind', { response: { decision: 'block' } }, 'the answer has the unknown subtype undefined'],
])('takes no answer that is %s for one without an opinion', async (_, response, why) => {
  const { answer, say } = asks()
  say(response)
  await expect(answer).rejects.toThrow(why)
})

it('takes a question back whose answer nobody waits for any more, and no other', async () => {
  const { control, input, sent } = open()
  const [kept, dropped] = [new AbortController(), new AbortController()]
  const answer = control.ask({ subtype: 'hook_callback' }, kept.signal)
  input.write(
    `${JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: sent[0]?.request_id } })}\n`,
  )
  await expect(answer).resolves.toEqual({})
  const refused = control.ask({ subtype: 'hook_callback' }, dropped.signal)
  kept.abort()
  dropped.abort()
  await expect(refused).rejects.toThrow('it was canceled')
  await expect(control.ask({ subtype: 'hook_callback' }, dropped.signal)).rejects.toThrow('it was canceled')
  expect(sent.slice(1)).toEqual([
    { type: 'control_request', request_id: sent[1]?.request_id, request: { subtype: 'hook_callback' } },
    { type: 'control_cancel_request', request_id: sent[1]?.request_id },
  ])
})

it('has no answer where stdin has ended', async () => {
  const { control, input, ended } = open()
  const waiting = control.ask({ subtype: 'hook_callback' })
  input.end()
  await expect(waiting).rejects.toThrow('the caller has closed stdin')
  await expect(control.ask({ subtype: 'hook_callback' })).rejects.toThrow('the caller has closed stdin')
  await expect(ended).resolves.toBeUndefined()
})

it('ends for a line that is longer than any message, and where stdin breaks', async () => {
  const long = open()
  const mebibyte = Buffer.alloc(1024 * 1024, 'x')
  for (let size = 0; size <= 128; size += 1) long.input.write(mebibyte)
  await expect(long.ended).resolves.toMatchObject({ reason: 'bad_input', message: /more than 128 MiB/ })
  const broken = open()
  broken.input.destroy(new Error('read ECONNRESET'))
  await expect(broken.ended).resolves.toMatchObject({ reason: 'io_error', message: /ECONNRESET/ })
})

import { expect, test } from 'vitest'
import { renderTurn } from '../../src/model/replay/renderTurn.ts'
import { modelRequest, startModel } from '../helpers/model/modelRun.ts'

const TURN = { say: 'Some text.', tools: [{ name: 'Read', input: { file_path: '/a' } }] }
const EVENTS = renderTurn(TURN, { id: 'fixture', model: 'claude-sonnet-5-5' })

/** The bytes up to the end of the first block: its start, its delta, its end. */
const FIRST_BLOCK = Buffer.byteLength(EVENTS.slice(0, 5).join(''))

test('an abort closes the socket and throws its own reason, after what the answer has cost', async () => {
  const { client, server } = await startModel([{ sse: EVENTS, stallAfter: FIRST_BLOCK }])
  const controller = new AbortController()
  const reason = new Error('deadline')
  const stream = client.stream(modelRequest(), controller.signal)
  expect((await stream.next()).value).toMatchObject({ type: 'block' })
  controller.abort(reason)
  expect((await stream.next()).value).toMatchObject({ type: 'discarded', blocks: 1, usage: { input_tokens: 100 } })
  await expect(stream.next()).rejects.toBe(reason)
  await expect.poll(() => server.openAnswers(), { timeout: 10_000 }).toBe(0)
})

test('an abort ends a wait', async () => {
  const step = { status: 429, headers: { 'retry-after': '100' } }
  const { client, server } = await startModel([step], { waitScale: 1 })
  const controller = new AbortController()
  const stream = client.stream(modelRequest(), controller.signal)
  expect((await stream.next()).value).toMatchObject({ type: 'retry', delayMs: 100_000 })
  const next = stream.next()
  controller.abort(new Error('stop'))
  await expect(next).rejects.toThrow('stop')
  expect(server.requests).toHaveLength(1)
})

test('an abort before the start sends nothing', async () => {
  const { client, server } = await startModel([])
  const stream = client.stream(modelRequest(), AbortSignal.abort(new Error('too late')))
  await expect(stream.next()).rejects.toThrow('too late')
  expect(server.requests).toHaveLength(0)
})

test('leaving early closes the socket', async () => {
  const { client, server } = await startModel([{ sse: EVENTS, stallAfter: FIRST_BLOCK }])
  for await (const event of client.stream(modelRequest(), new AbortController().signal)) {
    expect(event.type).toBe('block')
    break
  }
  await expect.poll(() => server.openAnswers(), { timeout: 10_000 }).toBe(0)
})

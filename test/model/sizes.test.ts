import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { renderEvent, renderTurn } from '../../src/model/replay/renderTurn.ts'
import type { Step } from '../helpers/model/messagesServer.ts'
import { ask, errorOf, retriesIn, startModel } from '../helpers/model/modelRun.ts'

const OK: Step = { turn: { say: 'fine' } }

const EVENTS = renderTurn(
  { say: 'Some text.', tools: [{ name: 'Read', input: {} }] },
  { id: 'fixture', model: 'claude-sonnet-5-5' },
)

describe('sizes and counts', () => {
  test('row 19: a line over 16 MiB is cut off', { tags: 'long' }, async () => {
    const line = Buffer.concat([Buffer.from('event: content_block_delta\ndata: {"x":"'), Buffer.alloc(18 << 20, 0x61)])
    const { client, server } = await startModel(() => ({ body: line }))
    const error = errorOf((await ask(client)).error)
    expect(error).toMatchObject({ kind: 'bad_stream', reason: 'api_unavailable' })
    expect(error.message).toContain('16 MiB')
    expect(server.requests).toHaveLength(3)
  })

  test.each(['gzip', 'br'])('row 20: a %s bomb ends at 64 MiB of text', { tags: 'long' }, async (encoding) => {
    const delta = renderEvent({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'a'.repeat(1 << 20) },
    })
    const sse = [...EVENTS.slice(0, 3), ...Array(66).fill(delta)]
    const step: Step =
      encoding === 'gzip'
        ? { sse, gzip: true }
        : {
            body: brotliCompressSync(sse.join(''), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
            headers: { 'content-encoding': 'br' },
          }
    const { client } = await startModel([step, OK])
    const { events } = await ask(client)
    expect(retriesIn(events)).toMatchObject([{ detail: 'the response of the answer is over 64 MiB' }])
  })

  test('gzip is understood', async () => {
    const { client } = await startModel([{ sse: EVENTS, gzip: true }])
    expect((await ask(client)).message.stop_reason).toBe('tool_use')
  })

  test.each([
    ['missing', undefined],
    ['negative', { input_tokens: -5, output_tokens: -1 }],
    ['huge', { input_tokens: 1e18, output_tokens: 3 }],
    ['text', { input_tokens: 'many', output_tokens: 3 }],
  ])('row 22: %s usage is estimated and flagged', async (_name, usage) => {
    const events = EVENTS.map((event) => {
      const [head, data] = event.trim().split('\ndata: ')
      const parsed = JSON.parse(data ?? '')
      if (parsed.message) parsed.message.usage = usage
      if (parsed.type === 'message_delta') parsed.usage = usage
      return `${head}\ndata: ${JSON.stringify(parsed)}\n\n`
    })
    const { client } = await startModel([{ sse: events }])
    const { message } = await ask(client)
    expect(message.usage_estimated).toBe(true)
    expect(message.usage.input_tokens).toBeGreaterThan(10)
    expect(message.usage.output_tokens).toBeGreaterThan(5)
  })

  test.each([null, 'from_the_future'])('row 22: stop reason %s is passed on', async (stop) => {
    const { client } = await startModel([{ turn: { say: 'x', stop } }])
    expect((await ask(client)).message.stop_reason).toBe(stop)
  })
})

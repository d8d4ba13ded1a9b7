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
})

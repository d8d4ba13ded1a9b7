import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { renderEvent, renderTurn } from '../../src/model/replay/renderTurn.ts'
import type { Step } from '../helpers/model/messagesServer.ts'
import { ask, errorOf, modelRequest, retriesIn, SHORT_TIMERS, startModel } from '../helpers/model/modelRun.ts'
import { sampled } from '../helpers/sampled.ts'

/** The bytes of a turn up to the end of the nth event whose name is `name`. */
function bytesUpTo(events: readonly string[], name: string): number {
  const last = events.findLastIndex((event) => event.startsWith(`event: ${name}\n`))
  return Buffer.byteLength(events.slice(0, last + 1).join(''))
}

const TURN = { say: 'Grüße, 世界 🎉', tools: [{ name: 'Read', input: { file_path: '/ä/😀.txt' } }] }
const EVENTS = renderTurn(TURN, { id: 'fixture', model: 'claude-sonnet-5-5' })

describe('answers that break', () => {
  test.each(
    sampled(
      [
        ['content_block_delta', 1],
        ['message_start', 0],
        ['content_block_stop', 2],
      ] as const,
      1,
    ),
  )('row 11: silence after %s discards the %i whole blocks and asks again', async (name, blocks) => {
    const broken: Step = { sse: EVENTS, stallAfter: bytesUpTo(EVENTS, name) }
    const { client, server } = await startModel([broken, { turn: TURN }], { timers: SHORT_TIMERS })
    const { events, message } = await ask(client)
    expect(events.filter((event) => event.type === 'discarded')).toMatchObject([{ blocks }])
    expect(events.filter((event) => event.type === 'stall')).toMatchObject([{ phase: 'idle' }])
    expect(events.findIndex((event) => event.type === 'discarded')).toBe(blocks)
    expect(message.content.at(-1)).toMatchObject({ type: 'tool_use', input: { file_path: '/ä/😀.txt' } })
    expect(server.requests[1]?.text).toBe(server.requests[0]?.text)
  })

  test.each([
    ['pings alone', renderEvent({ type: 'ping' })],
    ['bytes without an event', 'x'],
  ])('%s do not keep a connection alive forever', { tags: 'long' }, async (_, repeat) => {
    const step: Step = { sse: EVENTS.slice(0, 1), repeat, dripMs: 50 }
    const { client, server } = await startModel(() => step, { timers: { ...SHORT_TIMERS, pingOnlyMs: 600 } })
    const { events, error } = await ask(client)
    expect(events).toMatchObject([{ type: 'discarded' }, { type: 'stall', phase: 'ping_only' }])
    expect(errorOf(error)).toMatchObject({ reason: 'api_unavailable', kind: 'stalled' })
    expect(server.requests).toHaveLength(1)
  })

  test('earlier silence counts toward the limit for pings', { tags: 'long' }, async () => {
    const pings: Step = { sse: EVENTS.slice(0, 1), repeat: renderEvent({ type: 'ping' }), dripMs: 50 }
    const { client } = await startModel([{ before: 'silent' }, pings], { timers: SHORT_TIMERS })
    const { events } = await ask(client)
    const stalls = events.flatMap((event) => (event.type === 'stall' ? [event] : []))
    expect(stalls).toMatchObject([{ phase: 'first_byte' }, { phase: 'ping_only' }])
    expect(stalls[1]?.silentMs).toBeLessThan(SHORT_TIMERS.pingOnlyMs)
  })

  test.each([
    ['stays open', { stallAfter: 1e6 }],
    ['is destroyed', { cutAtByte: Buffer.byteLength(EVENTS.join('')) }],
  ])('an answer is complete at message_stop, even if the connection %s after it', async (_name, step) => {
    const { client, server } = await startModel([{ sse: EVENTS, ...step }], { timers: SHORT_TIMERS })
    const { events, message } = await ask(client)
    expect(message.stop_reason).toBe('tool_use')
    expect(events.map((event) => event.type)).toEqual(['block', 'block', 'message'])
    expect(server.requests).toHaveLength(1)
    await expect.poll(() => server.openAnswers(), { timeout: 10_000 }).toBe(0)
  })
})

/** Its start, its delta, its end. */
const FIRST_BLOCK = Buffer.byteLength(EVENTS.slice(0, 5).join(''))

describe('an answer that is left', () => {
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
})

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
    const text = 'a'.repeat(1 << 20)
    const delta = renderEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
    const sse = [...EVENTS.slice(0, 3), ...Array(66).fill(delta)]
    const body = brotliCompressSync(sse.join(''), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
    const packed = encoding === 'gzip' ? { sse, gzip: true } : { body, headers: { 'content-encoding': 'br' } }
    const { client } = await startModel([packed, { turn: TURN }])
    const { events } = await ask(client)
    expect(retriesIn(events)).toMatchObject([{ detail: 'the response of the answer is over 64 MiB' }])
  })

  test('gzip is understood', async () => {
    const { client } = await startModel([{ sse: EVENTS, gzip: true }])
    expect((await ask(client)).message.stop_reason).toBe('tool_use')
  })
})

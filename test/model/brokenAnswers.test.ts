import { describe, expect, test } from 'vitest'
import { renderEvent, renderTurn } from '../../src/model/replay/renderTurn.ts'
import type { Step } from '../helpers/model/messagesServer.ts'
import { ask, errorOf, retriesIn, SHORT_TIMERS, startModel } from '../helpers/model/modelRun.ts'
import { sampled } from '../helpers/sampled.ts'

const OK: Step = { turn: { say: 'fine' } }

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

  test('pings between events keep a slow connection alive', { tags: 'long' }, async () => {
    const slow = [...EVENTS.slice(0, 4), ...Array(6).fill(renderEvent({ type: 'ping' })), ...EVENTS.slice(4)]
    const text = slow.join('')
    const { client, server } = await startModel([{ sse: slow, chunkBytes: Math.ceil(text.length / 8), dripMs: 150 }], {
      timers: SHORT_TIMERS,
    })
    expect((await ask(client)).message.stop_reason).toBe('tool_use')
    expect(server.requests).toHaveLength(1)
  })

  test('row 13: split into single bytes, the answer is the same', async () => {
    const { client } = await startModel([{ sse: EVENTS, chunkBytes: 1 }])
    const { message } = await ask(client)
    expect(message.content).toMatchObject([{ text: TURN.say }, { input: { file_path: '/ä/😀.txt' } }])
  })

  test.each([
    ['CR', '\r'],
    ['CR LF', '\r\n'],
  ])('lines may end with %s, however the answer is split', async (_name, end) => {
    for (const chunkBytes of [1, 7, 10_000]) {
      const { client } = await startModel([{ sse: EVENTS.map((event) => event.replaceAll('\n', end)), chunkBytes }])
      const { message } = await ask(client)
      expect(message.content).toMatchObject([{ text: TURN.say }, { input: { file_path: '/ä/😀.txt' } }])
    }
  })

  test('row 14: a clean end without message_stop is not an answer', async () => {
    const { client } = await startModel([{ sse: EVENTS.slice(0, -1) }, { sse: EVENTS.slice(0, -2) }, { sse: [] }, OK])
    const { events, message } = await ask(client)
    expect(message.content).toEqual([{ type: 'text', text: 'fine' }])
    expect(retriesIn(events).map((event) => event.error)).toEqual(['bad_stream', 'bad_stream', 'bad_stream'])
    expect(events.filter((event) => event.type === 'discarded')).toMatchObject([{ blocks: 2 }, { blocks: 2 }])
  })

  test.each([
    ['overloaded_error', 'overloaded'],
    ['api_error', 'server_error'],
    ['rate_limit_error', 'rate_limit'],
  ])('row 15: %s in a stream is tried again as %s', async (type, kind) => {
    const error = renderEvent({ type: 'error', error: { type, message: 'in mid-stream' } })
    const { client } = await startModel([{ sse: [...EVENTS.slice(0, 4), error] }, OK])
    const { events } = await ask(client)
    expect(events[0]).toMatchObject({ type: 'discarded' })
    expect(retriesIn(events)).toMatchObject([{ error: kind, status: null }])
  })

  test('row 15: an invalid request reported in the stream is final', async () => {
    const error = renderEvent({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } })
    const { client, server } = await startModel([{ sse: [error] }])
    expect(errorOf((await ask(client)).error)).toMatchObject({ kind: 'invalid_request', reason: 'bad_request' })
    expect(server.requests).toHaveLength(1)
  })

  test('row 17: a page of a captive portal is named, without its control characters', async () => {
    const body = `<html>\u001b[31m::error::Log in\u0007${'x'.repeat(500)}`
    const { client, server } = await startModel(() => ({ body, headers: { 'content-type': 'text/html' } }), {
      maxRetries: 2,
    })
    const error = errorOf((await ask(client)).error)
    expect(error.reason).toBe('api_unavailable')
    expect(error.message).toContain('not an API response (text/html): <html>')
    expect(error.message).not.toMatch(/[\u0000-\u001f]/)
    expect(error.message.length).toBeLessThan(400)
    expect(server.requests).toHaveLength(3)
  })

  test.each([
    ['text/plain; charset=utf-8', { 'content-type': 'text/plain; charset=utf-8' }],
    ['no type', {}],
  ])('an event stream with %s is read', async (_what, headers) => {
    const { client, server } = await startModel([{ body: EVENTS.join(''), headers }])
    expect((await ask(client)).message.content).toEqual(
      (await ask((await startModel([{ sse: EVENTS }])).client)).message.content,
    )
    expect(server.requests).toHaveLength(1)
  })

  test('plain text that is no event stream is named', async () => {
    const { client } = await startModel(
      () => ({ body: 'upstream is down', headers: { 'content-type': 'text/plain' } }),
      {
        maxRetries: 0,
      },
    )
    expect(errorOf((await ask(client)).error).message).toContain('not an API response (text/plain): upstream is down')
  })

  test('row 17: an API error with status 200 is treated as an error', async () => {
    const body = JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: 'no key' } })
    const { client } = await startModel([{ body, headers: { 'content-type': 'application/json' } }])
    expect(errorOf((await ask(client)).error)).toMatchObject({ kind: 'authentication_failed', reason: 'auth' })
  })

  test('malformed events cause a retry', async () => {
    const { client: broken } = await startModel([{ sse: ['event: message_start\ndata: {not json}\n\n'] }, OK])
    expect((await ask(broken)).message.stop_reason).toBe('end_turn')
  })

  test.each([
    ['malformed', '{"file_path": /a}', 'is not JSON'],
    ['cut', '{"file_path": "/a", "lim', 'is not JSON'],
    ['null', 'null', 'is not a JSON object'],
    ['a list', '[1]', 'is not a JSON object'],
    ['10,000 deep', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'is nested more than'],
  ])('tool input that is %s is an answer with a problem', async (_name, input, problem) => {
    const { client } = await startModel([{ turn: { say: 'so', tools: [{ name: 'Read', input }] } }])
    const { events, message } = await ask(client)
    expect(events).toMatchObject([
      { type: 'block', block: { type: 'text' } },
      { type: 'block', block: { type: 'tool_use', input: {} }, problem: expect.stringContaining(problem) },
      { type: 'message' },
    ])
    expect(message.content[1]).toMatchObject({ type: 'tool_use', input: {} })
  })

  test('row 27: max_tokens inside a tool call is delivered, with no input for the call', async () => {
    const turn = { say: 'Now.', tools: [{ name: 'Bash', input: '{"command": "rm -rf x", "time' }], stop: 'max_tokens' }
    const { client } = await startModel([{ turn }])
    const { events, message } = await ask(client)
    expect(events[1]).toMatchObject({ type: 'block', problem: expect.stringContaining('is not JSON') })
    expect(message.stop_reason).toBe('max_tokens')
    expect(message.content[1]).toMatchObject({ type: 'tool_use', name: 'Bash', input: {} })
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

  test('bytes that are not UTF-8 are not an answer', async () => {
    const bytes = Buffer.from(EVENTS.join(''))
    bytes[bytes.indexOf(Buffer.from('世'))] = 0xff
    const { client } = await startModel([{ body: bytes }, OK])
    const { events } = await ask(client)
    expect(retriesIn(events)).toMatchObject([{ error: 'bad_stream', detail: 'the answer is not UTF-8 text' }])
  })
})

import { describe, expect, test } from 'vitest'
import { createAnthropicClient } from '../../src/model/createAnthropicClient.ts'
import type { Step } from '../helpers/model/messagesServer.ts'
import { ask, errorOf, retriesIn, startModel, TEST_KEY } from '../helpers/model/modelRun.ts'

const OK: Step = { turn: { say: 'fine' } }

describe('statuses before an answer', () => {
  test('row 1: retry-after of a 429 is obeyed and reported', async () => {
    const limited: Step = { status: 429, headers: { 'retry-after': '2' } }
    const { client } = await startModel([limited, limited, OK])
    const { events, message } = await ask(client)
    expect(message.content).toEqual([{ type: 'text', text: 'fine' }])
    expect(retriesIn(events)).toMatchObject([
      { attempt: 1, status: 429, delayMs: 2000, source: 'retry-after', error: 'rate_limit' },
      { attempt: 2, status: 429, delayMs: 2000, source: 'retry-after', error: 'rate_limit' },
    ])
  })

  test.each([402, 405, 410, 415, 418, 422, 451])('%i is not an internal error, and is not retried', async (status) => {
    const page = { status, body: '<html>no</html>', headers: { 'content-type': 'text/html' } }
    const { client, server } = await startModel([page])
    const error = errorOf((await ask(client)).error)
    expect(error.reason).toBe(status === 402 ? 'billing' : 'config')
    expect(server.requests).toHaveLength(1)
  })

  test('row 4: eight overloads, then an answer; waits grow to 30 s', async () => {
    const { client, server } = await startModel([...Array(8).fill({ status: 529 }), OK])
    const { events, message } = await ask(client)
    expect(message.stop_reason).toBe('end_turn')
    expect(server.requests).toHaveLength(9)
    const waits = retriesIn(events).map((event) => event.delayMs)
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16000, 30000, 30000])
  })

  test.each([500, 502, 503, 504, 408, 409])('rows 6 and 7: %i is retried', async (status) => {
    const { client, server } = await startModel([{ status }, OK])
    expect((await ask(client)).message.stop_reason).toBe('end_turn')
    expect(server.requests).toHaveLength(2)
  })

  test('row 7: x-should-retry decides, except for a final status', async () => {
    const no = await startModel([{ status: 500, headers: { 'x-should-retry': 'false' } }])
    expect(errorOf((await ask(no.client)).error)).toMatchObject({ reason: 'api_unavailable', status: 500 })
    const yes = await startModel([{ status: 422, headers: { 'x-should-retry': 'true' } }, OK])
    expect((await ask(yes.client)).message.stop_reason).toBe('end_turn')
    for (const status of [400, 401, 403, 404]) {
      const { client, server } = await startModel([{ status, headers: { 'x-should-retry': 'true' } }])
      errorOf((await ask(client)).error)
      expect(server.requests).toHaveLength(1)
    }
  })

  test.each([
    [{ status: 401 }, 'auth', 'authentication_failed'],
    [{ status: 403 }, 'auth', 'authentication_failed'],
    [{ status: 400, errorMessage: 'Your credit balance is too low to access the API' }, 'billing', 'billing_error'],
    [{ status: 402 }, 'billing', 'billing_error'],
    [{ status: 404, errorMessage: 'model: claude-nope' }, 'config', 'model_not_found'],
    [{ status: 400, errorMessage: 'messages.3: bad' }, 'bad_request', 'invalid_request'],
    [
      { status: 400, errorMessage: 'prompt is too long: 210000 tokens > 200000 maximum' },
      'context_exhausted',
      'context_too_long',
    ],
    [{ status: 413 }, 'context_exhausted', 'request_too_large'],
  ] as const)('rows 8 to 10: %j ends as %s without a retry', async (step, reason, kind) => {
    const { client, server } = await startModel([step])
    const error = errorOf((await ask(client)).error)
    expect(error).toMatchObject({ reason, kind, status: step.status })
    expect(server.requests).toHaveLength(1)
  })

  test('row 8: an error that repeats the key does not show it', async () => {
    const { client } = await startModel([{ status: 401, errorMessage: `invalid key ${TEST_KEY}` }])
    const error = errorOf((await ask(client)).error)
    expect(error.message).not.toContain(TEST_KEY)
    expect(error.message).toContain('[API key …ghij]')
  })
})

describe('row 25: refused before a request', () => {
  const make = (options: Partial<Parameters<typeof createAnthropicClient>[0]>) => () =>
    createAnthropicClient({ apiKey: TEST_KEY, baseURL: 'https://api.anthropic.com', ...options })

  test('a base URL that shows the key to others', () => {
    const message = expect.stringContaining('clear text to example.com')
    expect(make({ baseURL: 'http://example.com' })).toThrow(expect.objectContaining({ reason: 'config', message }))
    expect(make({ baseURL: 'http://example.com', allowInsecureBaseUrl: true })().host).toBe('example.com')
  })

  test.each(['', '  \n', 'sk-ant\nx-injected: 1', 'sk ant', 'schlüssel'])('key %j, without showing it', (apiKey) => {
    const message = expect.stringMatching(apiKey.trim() === '' ? /^there is no API key: set/ : /^the API key contains/)
    expect(make({ apiKey })).toThrow(expect.objectContaining({ reason: 'auth', message }))
    if (apiKey.trim() !== '') expect(make({ apiKey })).not.toThrow(apiKey)
  })
})

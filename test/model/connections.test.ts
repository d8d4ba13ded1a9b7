import { createServer as createTcpServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Step, startMessagesServer } from '../helpers/model/messagesServer.ts'
import { ask, errorOf, retriesIn, SHORT_TIMERS, startModel } from '../helpers/model/modelRun.ts'

const OK: Step = { turn: { say: 'fine' } }

describe('connections', () => {
  test('row 6: a reset before any header is tried again; a refused connection ends as api_unavailable', async () => {
    const { client } = await startModel([{ before: 'reset' }, OK])
    const { events } = await ask(client)
    expect(retriesIn(events)).toMatchObject([{ status: null, error: 'connection', source: 'backoff' }])
    // A port that was free a moment ago may be that of another test by now.
    const { client: lost } = await startModel([], { baseURL: 'http://127.0.0.1:2', maxRetries: 2 })
    const result = await ask(lost)
    expect(retriesIn(result.events)).toHaveLength(2)
    expect(errorOf(result.error)).toMatchObject({ kind: 'connection', reason: 'api_unavailable' })
    expect(errorOf(result.error).message).toContain('ECONNREFUSED')
  })

  test('row 6: a name that does not resolve is tried again', async () => {
    const { client } = await startModel([], { baseURL: 'https://no-such-host.invalid', maxRetries: 1 })
    const result = await ask(client)
    expect(retriesIn(result.events)).toHaveLength(1)
    expect(errorOf(result.error)).toMatchObject({ kind: 'connection', reason: 'api_unavailable' })
  })

  test('row 18: a redirect is not followed', async () => {
    const other = await startMessagesServer([OK])
    onTestFinished(() => other.close())
    for (const status of [301, 307, 308]) {
      const { client, server } = await startModel([{ status, headers: { location: `${other.url}/v1/messages` } }])
      const error = errorOf((await ask(client)).error)
      expect(error.reason).toBe('config')
      expect(error.message).toContain('redirect')
      expect(server.requests).toHaveLength(1)
    }
    expect(other.requests).toHaveLength(0)
  })

  test.each(['socks5://127.0.0.1:1080', 'socks://proxy.example', 'not a url'])(
    'the proxy %s is refused at once',
    async (proxy) => {
      const given = { baseURL: 'https://api.example', proxy: { httpsProxy: proxy } }
      const started = startModel([], given)
      await expect(started).rejects.toMatchObject({ reason: 'config', message: expect.stringContaining('HTTPS_PROXY') })
    },
  )

  test('row 23: a server that accepts and never answers is tried once more', async () => {
    const { client, server } = await startModel([{ before: 'silent' }, OK], { timers: SHORT_TIMERS })
    const { events } = await ask(client)
    expect(events).toMatchObject([
      { type: 'stall', phase: 'first_byte' },
      { type: 'retry', error: 'stalled' },
      { type: 'block' },
      { type: 'message' },
    ])
    expect(server.requests).toHaveLength(2)
  })

  test('row 23: a TLS handshake that never ends is a stall of the connection', { tags: 'long' }, async () => {
    const silent = createTcpServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as { port: number }
    const timers = { connectMs: 200, firstByteMs: 1000, idleMs: 1000, pingOnlyMs: 1000 }
    const { client } = await startModel([], { baseURL: `https://127.0.0.1:${port}`, timers })
    const { events, error } = await ask(client)
    const phases = events.filter((event) => event.type === 'stall').map((event) => event.phase)
    expect(phases.length).toBeGreaterThan(1)
    expect(new Set(phases)).toEqual(new Set(['connect']))
    expect(errorOf(error)).toMatchObject({ reason: 'api_unavailable', kind: 'stalled' })
  })
})

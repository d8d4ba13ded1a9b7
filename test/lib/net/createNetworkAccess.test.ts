import { createServer, type ServerResponse } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { NetworkGuard } from '../../../src/lib/net/createAddressGuard.ts'
import { createNetworkAccess } from '../../../src/lib/net/createNetworkAccess.ts'
import { wordsIn } from '../../../src/lib/text/words.ts'
import { listenHere } from '../../helpers/listenHere.ts'
import { loopback, serve } from './serve.ts'

function get(url: string, guard: NetworkGuard = loopback, change: object = {}) {
  const request = { maxBytes: 10_000_000, timeoutMs: 10_000, signal: new AbortController().signal, ...change }
  return createNetworkAccess(guard).fetch(url, request)
}

describe('createNetworkAccess: internal addresses', () => {
  it.each([
    ...wordsIn('127.0.0.1 2130706433 0x7f.1 0x7f000001 017700000001 127.1 １２７.0.0.1 ①②⑦.0.0.1 127.0.0.1. 0.0.0.0 0'),
    ...wordsIn('[::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::7f00:1] [::] [::1] [fd00:ec2::254] 10.1.2.3'),
    ...wordsIn(
      'printer.local localhost localhost. LOCALHOST a.localhost metadata.google.internal metadata 169.254.169.254',
    ),
  ])('refuses %s before it connects', async (host) => {
    const { requests, port } = await serve()
    await expect(get(`http://${host}:${port}/`, {})).rejects.toMatchObject({ name: 'NetworkRefusal', code: 'address' })
    expect(requests).toEqual([])
  })

  it('refuses a name with an internal address, unless a rule names it', async () => {
    const { requests, port } = await serve()
    const guard: NetworkGuard = {
      allowPrivate: (host) => host === 'named.example',
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    }
    expect((await get(`http://named.example:${port}/x`, guard)).status).toBe(200)
    await expect(get(`http://other.example:${port}/y`, guard)).rejects.toThrow(
      'other.example (127.0.0.1) is not an address of the public internet',
    )
    expect(requests.map(({ url }) => url)).toEqual(['/x'])
  })
})

describe('createNetworkAccess: addresses', () => {
  it('returns a redirect unchanged', async () => {
    const location = 'http://169.254.169.254/'
    const { requests, at } = await serve((response) => void response.writeHead(302, { location }).end())
    expect(await get(at)).toMatchObject({ status: 302, headers: { location } })
    expect(requests).toHaveLength(1)
  })

  it('asks for a page as kode-run, and for one answer on a connection', async () => {
    const { requests, at } = await serve()
    await get(`${at}/a?b`)
    const headers = { 'user-agent': 'kode-run', 'accept-encoding': 'gzip, deflate, br', connection: 'close' }
    expect(requests).toMatchObject([{ method: 'GET', url: '/a?b', body: '', headers }])
  })

  it('sends the method, the body and the headers that it is given', async () => {
    const headers = { accept: 'text/plain', 'user-agent': 'mine', 'x-host': 'a', host2: 'b', 'x-proxy-a': 'c' }
    const { requests, at } = await serve()
    await get(at, loopback, { method: 'POST', body: 'hello', headers })
    expect(requests).toMatchObject([{ method: 'POST', body: 'hello', headers }])
  })

  it.each([
    ...wordsIn('Host connection Content-Length transfer-encoding upgrade te trailer keep-alive expect'),
    ...wordsIn('Proxy-Authorization proxy- accept-encoding'),
  ])('leaves %s to the connection', async (name) => {
    const { requests, at, port } = await serve()
    await get(at, loopback, { method: 'POST', body: 'hello', headers: { [name]: 'evil' } })
    expect(requests).toMatchObject([{ body: 'hello', headers: { host: `127.0.0.1:${port}`, connection: 'close' } }])
    expect(Object.values(requests[0]?.headers ?? {})).not.toContain('evil')
  })

  it('gives the status and the headers of the answer: names in lower case, equal ones in one line', async () => {
    const headers = { 'X-Name': 'Value', 'Set-Cookie': ['a=1', 'b=2'] }
    const { at } = await serve((response) => void response.writeHead(418, headers).end('x'))
    expect(await get(at)).toMatchObject({
      ...{ status: 418, headers: { 'x-name': 'Value', 'set-cookie': 'a=1, b=2' } },
      ...{ body: new Uint8Array(Buffer.from('x')), isTruncated: false },
    })
  })

  it('refuses what may never be fetched, before anything is sent', async () => {
    await expect(get('file:///etc/passwd')).rejects.toMatchObject({ name: 'NetworkRefusal', code: 'url' })
  })

  it('reports the cause if there is no server', async () => {
    await expect(get('http://127.0.0.1:2/')).rejects.toMatchObject({
      message: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/ cannot be fetched: .*ECONNREFUSED/),
      cause: { code: 'ECONNREFUSED' },
    })
  })
})

describe('createNetworkAccess: secrets', () => {
  const guard: NetworkGuard = { ...loopback, containsSecret: (text) => text.includes('CANARY-1234') }
  it.each([
    ['in the query', '/?k=CANARY-1234', {}],
    ['in the path', '/CANARY-1234', {}],
    ['percent-encoded', '/?k=%43%41NARY%2D1234', {}],
    ['with spaces as plus', '/?k=CANARY-1234+x', {}],
    ['beside a broken escape', '/?k=%zz+CANARY-1234', {}],
    ['in the fragment', '/#CANARY-1234', {}],
    ['in a header', '/', { headers: { 'x-a': 'CANARY-1234' } }],
    ['as a header’s name', '/', { headers: { 'CANARY-1234': 'x' } }],
    ['in the body', '/', { method: 'POST', body: 'k=CANARY-1234' }],
  ])('are not sent %s', async (_where, path, change) => {
    const { requests, at } = await serve()
    await expect(get(`${at}${path}`, guard, change)).rejects.toMatchObject({ code: 'secret' })
    expect(requests).toEqual([])
  })

  it.each([
    // A secret with a space, and one with a letter that an address escapes.
    ['a secret with a space', 'my secret', '/?k=my+secret'],
    ['a secret with a space', 'my secret', '/?k=my secret'],
    ['a secret with an umlaut', 'gehüm', '/geh%C3%BCm'],
    ['the spelling that is sent', 'geh%C3%BCm', '/gehüm'],
  ])('are not sent in another spelling: %s', async (_, secret, path) => {
    const own = { ...loopback, containsSecret: (text: string) => text.includes(secret) }
    const { requests, at } = await serve()
    await expect(get(`${at}${path}`, own)).rejects.toMatchObject({
      ...{ code: 'secret', message: 'the request to 127.0.0.1 holds a secret of this run; it was not sent' },
    })
    expect((await get(`${at}/other`, own)).status).toBe(200)
    expect(requests).toHaveLength(1)
  })

  it('are not leaked in a DNS lookup', async () => {
    const lookups: string[] = []
    const resolve = (host: string) => {
      lookups.push(host)
      return Promise.resolve([])
    }
    await expect(get('http://CANARY.-1234.example.com/', { ...guard, resolve })).rejects.toMatchObject({
      code: expect.any(String),
    })
    const lower: NetworkGuard = { containsSecret: (text) => text.includes('canary1234'), resolve }
    await expect(get('http://canary.1234.example.com/', lower)).rejects.toMatchObject({ code: 'secret' })
    expect(lookups).not.toContain('canary.1234.example.com')
  })
})

describe('createNetworkAccess: bodies', () => {
  it('unpacks what it asked for', async () => {
    const page = 'häll😀 '.repeat(1000)
    const { at } = await serve(
      (response) => void response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(page)),
    )
    expect(Buffer.from((await get(at)).body).toString()).toBe(page)
  })

  it('stops reading an endless body, and ends the connection', async () => {
    let isClosed: (value: unknown) => void
    const closed = new Promise((resolve) => (isClosed = resolve))
    const { at } = await serve((response) => {
      const write = () => {
        while (response.write(Buffer.alloc(64 * 1024, 'x')));
      }
      response.on('drain', write)
      response.on('close', () => isClosed(undefined))
      write()
    })
    const { body, isTruncated } = await get(at)
    expect([body.length, isTruncated]).toEqual([5 * 1024 * 1024, true])
    await closed
  })

  it('respects a smaller limit', async () => {
    const { at } = await serve((response) => void response.end('x'.repeat(2000)))
    const { body, isTruncated } = await get(at, loopback, { maxBytes: 1000 })
    expect([body.length, isTruncated]).toEqual([1000, true])
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['never answers', () => undefined],
    [
      'drips',
      (response) => {
        const timer = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('gives up on a server that %s', async (_what, behave) => {
    const { at } = await serve(behave)
    await expect(get(at, loopback, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' })
  })

  it('gives nobody more than 30 seconds, and nobody less than a moment', async () => {
    const timers = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => timers.mockRestore())
    const { at } = await serve()
    for (const timeoutMs of [10_000, 60_000]) await get(at, loopback, { timeoutMs })
    expect(timers.mock.calls).toEqual([[10_000], [30_000]])
    const silent = await serve(() => undefined)
    for (const timeoutMs of [0, -5])
      await expect(get(silent.at, loopback, { timeoutMs })).rejects.toMatchObject({
        ...{ code: 'timeout', message: `${silent.at} did not answer in full within the time limit` },
      })
  })

  it('detects a truncated answer', async () => {
    const { at } = await serve((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('short')
      setImmediate(() => response.socket?.end())
    })
    await expect(get(at)).rejects.toThrow(/cannot be fetched/)
  })

  it('ends at the caller’s abort', async () => {
    const controller = new AbortController()
    const { at } = await serve(() => controller.abort())
    await expect(get(at, loopback, { signal: controller.signal })).rejects.toThrow(/abort/i)
  })
})

describe('createNetworkAccess: proxies', () => {
  it('uses the operator’s proxy, which resolves names', async () => {
    const asked: string[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '')
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\ntunnel'))
    })
    const resolve = () => Promise.reject(new Error('must not be asked'))
    const guard: NetworkGuard = { proxy: await listenHere(proxy), resolve }
    const { body } = await get('http://example.com/', guard)
    expect(Buffer.from(body).toString()).toBe('tunnel')
    expect(asked).toEqual(['example.com:80'])
    await expect(get('http://169.254.169.254/', guard)).rejects.toMatchObject({ code: 'address' })
    await expect(get('http://metadata.google.internal/', guard)).rejects.toMatchObject({ code: 'address' })
    expect(asked).toHaveLength(1)
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
    await expect(get('http://example.com/', guard)).rejects.toThrow(/cannot be fetched/)
  })

  it('reads no proxy variable of the environment', async () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const name of ['http_proxy', 'HTTP_PROXY']) vi.stubEnv(name, 'http://127.0.0.1:1')
    vi.stubEnv('NO_PROXY', '')
    expect((await get((await serve()).at)).status).toBe(200)
  })
})

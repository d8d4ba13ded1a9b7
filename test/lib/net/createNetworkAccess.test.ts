import type { LookupAddress } from 'node:dns'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NetworkGuard } from '../../../src/lib/net/checkUrl.ts'
import { createAddressGuard, isPublicAddress } from '../../../src/lib/net/createAddressGuard.ts'
import { createGuardedFetch } from '../../../src/lib/net/createGuardedFetch.ts'
import { createNetworkAccess } from '../../../src/lib/net/createNetworkAccess.ts'

let server: Server
let port: number
let requests: { url: string; headers: IncomingMessage['headers']; body: string }[] = []
let answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => void response.end('ok')

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      requests.push({ url: request.url ?? '', headers: request.headers, body })
      answer(response, request)
    })
  })
  port = await listen(server)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  requests = []
  answer = (response) => void response.end('ok')
})

function listen(listener: Server | TcpServer): Promise<number> {
  return new Promise((resolve) => {
    listener.listen(0, '127.0.0.1', () => resolve((listener.address() as AddressInfo).port))
  })
}

const loopback: NetworkGuard = { allowPrivate: (host) => host === '127.0.0.1' }

function get(url: string, guard: NetworkGuard = loopback, change: object = {}) {
  const request = { maxBytes: 10_000_000, timeoutMs: 10_000, signal: new AbortController().signal, ...change }
  return createNetworkAccess(guard).fetch(url, request)
}

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.15.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('is true for %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  it.each([
    ...['127.0.0.1', '127.9.9.9', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '0.1.2.3'],
    ...[
      '100.64.0.1',
      '198.18.0.1',
      '198.19.255.255',
      '192.0.0.8',
      '192.0.2.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
    ],
    ...['255.255.255.255', '192.88.99.1', '::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1'],
    ...[
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      'fd00:ec2::254',
      'fe80::1',
      'fec0::1',
      '2002:7f00:1::',
      '2001::1',
      '4000::1',
    ],
    ...[
      '168.63.129.16',
      '::ffff:168.63.129.16',
      '2001:db8::1',
      'ff02::1',
      '100::1',
      '3fff::1',
      '5f00::1',
      'fe80::1%lo',
      '',
      'name',
      '127.1',
      '0x7f.1',
    ],
  ])('is false for %j', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('createNetworkAccess: internal addresses', () => {
  it.each([
    ...[
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0x7f000001',
      '017700000001',
      '127.1',
      '１２７.0.0.1',
      '①②⑦.0.0.1',
      '127.0.0.1.',
    ],
    ...[
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '0.0.0.0',
      '0',
      '[::]',
      '[::1]',
      'localhost',
      'localhost.',
    ],
    ...['LOCALHOST', 'a.localhost', 'metadata.google.internal', 'metadata', '169.254.169.254', '[fd00:ec2::254]'],
    ...['100.100.100.200', '198.18.0.1', '192.0.0.192', '224.0.0.1', '10.1.2.3', 'printer.local'],
  ])('refuses %s before it connects', async (host) => {
    await expect(get(`http://${host}:${port}/`, {})).rejects.toMatchObject({ name: 'NetworkRefusal', code: 'address' })
    expect(requests).toEqual([])
  })

  it.each<[string, LookupAddress[]]>([
    ['internal', [{ address: '127.0.0.1', family: 4 }]],
    [
      'public and internal',
      [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    ],
    ['mapped', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['none', []],
  ])('refuses a name whose addresses are %s', async (_what, addresses) => {
    const guard = { resolve: () => Promise.resolve(addresses) }
    const error = await get(`http://example.com:${port}/`, guard).catch((reason: unknown) => reason)
    expect(String((error as Error).message)).toMatch(/not an address of the public internet|has no address/)
    expect(requests).toEqual([])
  })

  it('resolves a name only once, so that a second answer cannot differ', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    const seen: string[] = []
    const guard = createAddressGuard({
      resolve: () => Promise.resolve([{ address: answers[Math.min(seen.push('asked'), 2) - 1] ?? '', family: 4 }]),
    })
    const dialled = await new Promise((resolve) => {
      guard.lookup('rebinding.example', { all: true }, (_error, addresses) => resolve(addresses))
    })
    expect(dialled).toEqual([{ address: '93.184.215.14', family: 4 }])
    expect(seen).toHaveLength(1)
    await expect(guard.resolve('rebinding.example')).rejects.toMatchObject({ code: 'address' })
  })

  it('sends nothing over a socket that connected elsewhere', async () => {
    let asked = 0
    // The first look is the guard's, what follows is dialled.
    const shifty: LookupAddress = {
      family: 4,
      get address() {
        return asked++ === 0 ? '93.184.215.14' : '127.0.0.1'
      },
    }
    const guard: NetworkGuard = { resolve: () => Promise.resolve([shifty]) }
    const error = await get(`http://example.com:${port}/`, guard).catch((reason: unknown) => reason)
    expect(String((error as Error).message)).toContain(
      'example.com (127.0.0.1) is not an address of the public internet',
    )
    expect([asked > 1, requests]).toEqual([true, []])
  })

  it('checks the address of the connected socket last', () => {
    const guard = createAddressGuard()
    expect(() => guard.checkSocket('example.com', { remoteAddress: '::ffff:10.0.0.1' })).toThrow('10.0.0.1')
    expect(() => guard.checkSocket('example.com', { remoteAddress: undefined })).toThrow('example.com')
    guard.checkSocket('example.com', { remoteAddress: '93.184.215.14' })
  })

  it('reaches hosts that a rule names, and no others', async () => {
    const guard: NetworkGuard = {
      allowPrivate: (host) => host === 'named.example',
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    }
    expect((await get(`http://named.example:${port}/x`, guard)).status).toBe(200)
    await expect(get(`http://other.example:${port}/y`, guard)).rejects.toThrow('other.example')
    expect(requests.map(({ url }) => url)).toEqual(['/x'])
  })
})

describe('createNetworkAccess: addresses', () => {
  it.each([
    ['file:///etc/passwd', /http or https/],
    ['ftp://127.0.0.1/', /http or https/],
    ['data:text/plain,x', /http or https/],
    ['not an address', /http or https/],
    ['http://me:pass@example.com/', /user name or a password/],
    ['http://example.com:22/', /port 22/],
    ['http://example.com:6379/', /port 6379/],
  ])('refuses %s', async (url, message) => {
    await expect(get(url, {})).rejects.toThrow(message)
  })

  it('returns a redirect unchanged', async () => {
    answer = (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    expect(await get(`http://127.0.0.1:${port}/`)).toMatchObject({
      status: 302,
      headers: { location: 'http://169.254.169.254/' },
    })
    expect(requests).toHaveLength(1)
  })

  it('sends the given headers, except those of the connection itself', async () => {
    const headers = { accept: 'text/plain', Host: 'evil', 'Content-Length': '1', 'Proxy-Authorization': 'x' }
    await get(`http://127.0.0.1:${port}/`, loopback, { method: 'POST', body: 'hello', headers })
    const [request] = requests
    expect(request).toMatchObject({ body: 'hello', headers: { accept: 'text/plain', host: `127.0.0.1:${port}` } })
    expect(request?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('reports the cause if there is no server', async () => {
    const other = createTcpServer()
    const free = await listen(other)
    await new Promise((resolve) => other.close(resolve))
    await expect(get(`http://127.0.0.1:${free}/`)).rejects.toThrow(/cannot be fetched: .*ECONNREFUSED/)
  })
})

describe('createNetworkAccess: secrets', () => {
  const guard: NetworkGuard = { ...loopback, containsSecret: (text) => text.includes('CANARY-1234') }
  it.each([
    ['in the query', '/?k=CANARY-1234', {}],
    ['in the path', '/CANARY-1234', {}],
    ['percent-encoded', '/?k=%43%41NARY%2D1234', {}],
    ['with spaces as plus', '/?k=CANARY-1234+x', {}],
    ['in the fragment', '/#CANARY-1234', {}],
    ['in a header', '/', { headers: { 'x-a': 'CANARY-1234' } }],
    ['as a header’s name', '/', { headers: { 'CANARY-1234': 'x' } }],
    ['in the body', '/', { method: 'POST', body: 'k=CANARY-1234' }],
  ])('are not sent %s', async (_where, path, change) => {
    await expect(get(`http://127.0.0.1:${port}${path}`, guard, change)).rejects.toMatchObject({ code: 'secret' })
    expect(requests).toEqual([])
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
  const text = 'häll😀 '.repeat(1000)
  it.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('unpacks %s', async (encoding, packed) => {
    answer = (response) => void response.writeHead(200, { 'content-encoding': encoding }).end(packed)
    const { body, isTruncated } = await get(`http://127.0.0.1:${port}/`)
    expect(Buffer.from(body).toString()).toBe(text)
    expect(isTruncated).toBe(false)
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(1_000_000)))],
    ['zstd', Buffer.from('x')],
    ['constructor', Buffer.from('x')],
  ])('refuses a decompression bomb, or an encoding that it did not offer: %s', async (encoding, packed) => {
    answer = (response) => void response.writeHead(200, { 'content-encoding': encoding }).end(packed)
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'size' })
  })

  it('stops reading an endless body', async () => {
    let isClosed: (value: unknown) => void
    const closed = new Promise((resolve) => (isClosed = resolve))
    answer = (response) => {
      const write = () => {
        while (response.write(Buffer.alloc(64 * 1024, 'x')));
      }
      response.on('drain', write)
      response.on('close', () => isClosed(undefined))
      write()
    }
    const { body, isTruncated } = await get(`http://127.0.0.1:${port}/`)
    expect([body.length, isTruncated]).toEqual([5 * 1024 * 1024, true])
    await closed
  })

  it('respects a smaller limit', async () => {
    answer = (response) => void response.end('x'.repeat(2000))
    const { body, isTruncated } = await get(`http://127.0.0.1:${port}/`, loopback, { maxBytes: 1000 })
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
    answer = behave
    const request = get(`http://127.0.0.1:${port}/`, loopback, { timeoutMs: 200 })
    await expect(request).rejects.toMatchObject({ code: 'timeout' })
  })

  it('detects a truncated answer', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('short')
      setImmediate(() => response.socket?.end())
    }
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toThrow(/cannot be fetched/)
  })

  it('ends at the caller’s abort', async () => {
    const controller = new AbortController()
    answer = () => controller.abort()
    await expect(get(`http://127.0.0.1:${port}/`, loopback, { signal: controller.signal })).rejects.toThrow(/abort/i)
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
    const proxyPort = await listen(proxy)
    const guard: NetworkGuard = {
      proxy: `http://127.0.0.1:${proxyPort}`,
      resolve: () => Promise.reject(new Error('must not be asked')),
    }
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
    const before = { ...process.env }
    Object.assign(process.env, { http_proxy: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '' })
    try {
      expect((await get(`http://127.0.0.1:${port}/`)).status).toBe(200)
    } finally {
      for (const name of ['http_proxy', 'HTTP_PROXY', 'NO_PROXY']) delete process.env[name]
      Object.assign(process.env, before)
    }
  })
})

describe('createGuardedFetch', () => {
  it('streams, follows no redirect, and refuses internal addresses', async () => {
    const fetch = createGuardedFetch(loopback)
    answer = (response) => void response.writeHead(307, { location: '/b' }).end('moved')
    const response = await fetch(`http://127.0.0.1:${port}/a`, { method: 'POST', headers: { 'x-a': '1' }, body: 'hi' })
    expect([response.status, response.headers.get('location')]).toEqual([307, '/b'])
    expect(await response.text()).toBe('moved')
    expect(requests).toMatchObject([{ url: '/a', body: 'hi', headers: { 'x-a': '1' } }])
    await expect(createGuardedFetch({})(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'address' })
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    const failure = await createGuardedFetch({ resolve })(`http://example.com:${port}/`).catch((error: Error) => error)
    expect((failure as Error).cause).toMatchObject({ code: 'address' })
    expect(requests).toHaveLength(1)
  })

  it('refuses an unrequested content encoding', async () => {
    answer = (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'))
    await expect(createGuardedFetch(loopback)(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'size' })
  })
})

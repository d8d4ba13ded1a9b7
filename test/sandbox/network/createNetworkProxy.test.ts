import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createNetworkProxy, type NetworkProxyOptions } from '../../../src/sandbox/network/createNetworkProxy.ts'
import { portHere } from '../../helpers/listenHere.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { table } from '../../helpers/table.ts'
import { helloFor } from './helloFor.ts'
import { rules } from './rules.ts'

async function open(allow: string[], change: Partial<NetworkProxyOptions> = {}) {
  const refusals: string[] = []
  const listen = { host: '127.0.0.1', port: 0 } as const
  const onRefusal = (text: string) => void refusals.push(text)
  const proxy = await createNetworkProxy({ rules: rules(...allow), listen, onRefusal, ...change })
  onTestFinished(proxy.close)
  return { ...proxy, refusals }
}

/** Sends the lines, and once the answer's head is there the rest; gives all that came back. */
function talk(port: number, head: string, rest: Buffer | string = ''): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    let isSent = false
    const socket = connect(port, '127.0.0.1', () => void socket.write(head))
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (!isSent && text.includes('\r\n\r\n')) socket.write(rest)
      isSent ||= text.includes('\r\n\r\n')
    })
    socket.on('close', () => resolve(text))
    // Reset: what came before counts.
    socket.on('error', () => undefined)
  })
}

/** A client whose connection to the target stands. */
async function enter(port: number, target: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write(`CONNECT 127.0.0.1:${target} HTTP/1.1\r\n\r\n`)
  await once(socket, 'data')
  return socket.resume()
}

const deaf = (socket: Socket) => void socket.on('error', () => undefined)
const echoOnce = (socket: Socket) => void socket.once('data', (chunk) => socket.end(`echo ${chunk}`))

it('connects to an allowed host, and passes bytes both ways', async () => {
  const target = await portHere(createTcpServer(echoOnce))
  const { port, refusals } = await open([`127.0.0.1:${target}`])
  const answer = await talk(port, `CONNECT 127.0.0.1:${target} HTTP/1.1\r\n\r\n`, 'hello')
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\necho hello$/s)
  expect(refusals).toEqual([])
})

it.each(table`
  a host that no rule names            | evil.example:443   | ^evil\\.example:443 is not in sandbox\\.allow$
  another port of an allowed host      | example.com:22     | ^example\\.com:22 is not in sandbox\\.allow$
  an address without a port            | example.com        | ^example\\.com:0 is not in sandbox\\.allow$
  an address with a path               | example.com:443/x  | ^example\\.com:443\\/x:0 is not
  an address behind a user
    | example.com:443@evil.example:443 | ^example\\.com:443@evil\\.example:443:0 is not
  an address that is none              | exa mple.com:443
  a port that is none                  | example.com:99999  | ^example\\.com:99999:0 is not
  another spelling of this machine     | 0x7f.1:443         | ^127\\.0\\.0\\.1:443 is not
  an allowed name with an internal address
    | example.com:443 | 127\\.0\\.0\\.1.*; to allow it, add it to sandbox\\.allow with its port$
`)('refuses %s', async (_what, authority, message) => {
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const { port, refusals } = await open(['example.com'], { resolve })
  const answer = await talk(port, `CONNECT ${authority} HTTP/1.1\r\n\r\n`)
  // What is not even HTTP is answered by Node.
  expect(answer).toMatch(message === undefined ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 403 Refused\r\n/)
  expect(refusals).toEqual(message === undefined ? [] : [expect.stringMatching(new RegExp(message))])
  if (message !== undefined) expect(answer.split('\r\n\r\n')[1]).toBe(`${refusals[0]}\n`)
})

it('passes on what came together with the request', async () => {
  const target = await portHere(createTcpServer(echoOnce))
  const { port } = await open([`127.0.0.1:${target}`])
  expect(await talk(port, `CONNECT 127.0.0.1:${target} HTTP/1.1\r\n\r\nearly`)).toMatch(/\r\n\r\necho early$/)
})

it('takes port 80 as the one that URLs leave out, and an IPv6 address without its brackets', async () => {
  const { port, refusals } = await open(['[::1]:1'])
  expect(await talk(port, 'CONNECT [::1]:1 HTTP/1.1\r\n\r\n')).toMatch(/ 502 .*(?:ECONNREFUSED|EADDRNOTAVAIL).* ?::1/s)
  await talk(port, 'CONNECT example.com:80 HTTP/1.1\r\n\r\n')
  expect(refusals[1]).toBe('example.com:80 is not in sandbox.allow')
})

it('ends both sides of a connection with either', async () => {
  const served: Socket[] = []
  const target = await portHere(createTcpServer((socket) => void served.push(socket.on('error', () => undefined))))
  const { port } = await open([`127.0.0.1:${target}`])
  const client = () => enter(port, target)
  const [first, second, third] = [await client(), await client(), await client()]
  const ends = [once(first, 'close'), once(second, 'close'), once(served[2] as Socket, 'close')]
  served[0]?.destroy()
  served[1]?.resetAndDestroy()
  third.resetAndDestroy()
  await Promise.all(ends)
  // It still works.
  ;(await client()).destroy()
})

it('ends open connections when it is closed, and its port is free', async () => {
  const target = await portHere(createTcpServer(deaf))
  const proxy = await open([`127.0.0.1:${target}`])
  const ended = once(await enter(proxy.port, target), 'close')
  await proxy.close()
  await ended
  await expect(once(connect(proxy.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
})

it('listens on a file, and says where it cannot', async () => {
  const path = join(makeFolder(), 'socket')
  const { port } = await open([], { listen: { path } })
  expect(port).toBe(0)
  await expect(open([], { listen: { path } })).rejects.toThrow('EADDRINUSE')
})

it('forwards plain requests to allowed hosts only', async () => {
  const target = await portHere(
    createServer((request, response) => void response.end(`got ${request.url} ${request.headers.host}`)),
  )
  const { port } = await open([`127.0.0.1:${target}`])
  const ask = (url: string) => talk(port, `GET ${url} HTTP/1.1\r\nhost: evil\r\nconnection: close\r\n\r\n`)
  expect(await ask(`http://127.0.0.1:${target}/a?b`)).toContain(`got /a?b 127.0.0.1:${target}`)
  expect(await ask(`http://localhost:${target}/`)).toMatch(/^HTTP\/1\.1 403 /)
  expect(await ask('/')).toMatch(
    /^HTTP\/1\.1 403 .*content-type: text\/plain\r\n.*\r\n\r\n.*\/ is not a proxy request\n/s,
  )
  expect(await ask('https://127.0.0.1/')).toMatch(/^HTTP\/1\.1 403 .*https:\/\/127\.0\.0\.1\/ is not a proxy request/s)
})

it('keeps its own headers of a plain request to itself, and passes status, headers and bodies on', async () => {
  const target = await portHere(
    createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const seen = Object.keys(request.headers).toSorted().join()
      response.writeHead(418, { 'x-seen': `${request.method} ${seen} ${request.headers.connection}` }).end(`<${body}>`)
    }),
  )
  const { port } = await open([`127.0.0.1:${target}`])
  const own =
    'proxy-authorization: secret\r\nproxy-connection: keep-alive\r\nconnection: close\r\ncontent-length: 4\r\n'
  const answer = await talk(port, `POST http://127.0.0.1:${target}/ HTTP/1.1\r\nhost: evil\r\n${own}\r\nbody`)
  expect(answer).toMatch(/^HTTP\/1\.1 418 .*x-seen: POST connection,content-length,host close\r\n.*<body>/s)
})

it('says which host does not answer, and ends a half answer', async () => {
  const closed = createTcpServer()
  const free = await portHere(closed)
  await new Promise((resolve) => closed.close(resolve))
  const half = await portHere(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', () => socket.destroy()),
      )
    }),
  )
  const { port, refusals } = await open([`127.0.0.1:${free}`, `127.0.0.1:${half}`])
  const ask = (at: number) => talk(port, `GET http://127.0.0.1:${at}/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  expect(await ask(free)).toMatch(/^HTTP\/1\.1 502 /)
  expect(refusals).toEqual([expect.stringContaining(`127.0.0.1:${free} cannot be reached: connect ECONNREFUSED`)])
  expect(await ask(half)).not.toContain('half\r\n')
  expect(await talk(port, `CONNECT 127.0.0.1:${free} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 502 .*ECONNREFUSED/s)
})

it('ends the request to a host whose asker has gone', async () => {
  const server = createTcpServer(deaf)
  const asked = once(server, 'connection')
  const target = await portHere(server)
  const { port } = await open([`127.0.0.1:${target}`])
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`GET http://127.0.0.1:${target}/ HTTP/1.1\r\nhost: x\r\n\r\n`),
  )
  const [served] = (await asked) as [Socket]
  await once(served, 'data')
  socket.destroy()
  await once(served, 'close')
})

it.runIf(process.getuid?.() === 0)(
  'allows only TLS for the host itself on port 443 (needs root: the port)',
  async () => {
    const received: string[] = []
    const host = '127.0.0.77'
    const target = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        received.push(chunk.toString('latin1'))
        socket.end('bye')
      })
    })
    await new Promise<void>((resolve) => void target.listen(443, host, resolve))
    onTestFinished(() => void target.close())
    const { port, refusals } = await open([`${host}:443`])
    const head = `CONNECT ${host}:443 HTTP/1.1\r\n\r\n`
    // The third is a greeting that never ends, in records of TLS.
    const record = Buffer.concat([Buffer.from([22, 3, 1, 0x40, 0, 1, 255, 255, 255]), Buffer.alloc(16_384 - 4)])
    const endless = Buffer.concat(Array(5).fill(record))
    for (const greeting of ['SSH-2.0-x\r\n', await helloFor('front.example'), endless]) {
      expect(await talk(port, head, greeting)).not.toContain('bye')
    }
    const words = `a connection to ${host}:443 was not TLS for that name`
    expect(refusals).toEqual([words, words, words])
    expect(received).toEqual([])
    const hello = await helloFor('')
    expect(await talk(port, head, hello)).toContain('bye')
    expect(received).toEqual([hello.toString('latin1')])
    // In pieces, and with the request itself.
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(Buffer.concat([Buffer.from(head), hello.subarray(0, 20)])),
    )
    await once(socket, 'data')
    socket.write(hello.subarray(20))
    expect(String((await once(socket, 'data'))[0])).toContain('bye')
    expect(received[1]).toBe(received[0])
  },
)

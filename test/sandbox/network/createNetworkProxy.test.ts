import { createServer, type Server } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createNetworkProxy, type NetworkProxyOptions } from '../../../src/sandbox/network/createNetworkProxy.ts'
import { helloFor } from './helloFor.ts'
import { rules } from './rules.ts'

describe('createNetworkProxy', () => {
  const closers: (() => Promise<unknown> | unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  async function listen(server: Server | TcpServer): Promise<number> {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    closers.push(() => void server.close())
    return (server.address() as AddressInfo).port
  }

  async function open(allow: string[], change: Partial<NetworkProxyOptions> = {}) {
    const refusals: string[] = []
    const listenAt = { host: '127.0.0.1', port: 0 } as const
    const onRefusal = (text: string) => void refusals.push(text)
    const proxy = await createNetworkProxy({ rules: rules(...allow), listen: listenAt, onRefusal, ...change })
    closers.push(proxy.close)
    return { port: proxy.port, refusals }
  }

  /** Sends the lines, and once the answer's head is there the rest; gives all that came back. */
  function talk(port: number, head: string, rest: Buffer | string = ''): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = ''
      let isSent = false
      const socket = connect(port, '127.0.0.1', () => void socket.write(head))
      socket.on('data', (chunk) => {
        text += String(chunk)
        if (!isSent && text.includes('\r\n\r\n')) socket.write(rest)
        isSent ||= text.includes('\r\n\r\n')
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
  }

  const echoOnce = (socket: Socket) => void socket.once('data', (chunk) => socket.end(`echo ${chunk}`))

  it('connects to an allowed host, and passes bytes both ways', async () => {
    const target = await listen(createTcpServer(echoOnce))
    const { port, refusals } = await open([`127.0.0.1:${target}`])
    const answer = await talk(port, `CONNECT 127.0.0.1:${target} HTTP/1.1\r\n\r\n`, 'hello')
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\necho hello$/s)
    expect(refusals).toEqual([])
  })

  it.each([
    ['a host that no rule names', 'evil.example:443', /sandbox\.allow/],
    ['another port of an allowed host', 'example.com:22', /sandbox\.allow/],
    ['an address that is no address', 'example.com', /sandbox\.allow/],
    ['another spelling of this machine', '0x7f.1:443', /sandbox\.allow/],
    ['an allowed name with an internal address', 'example.com:443', /127\.0\.0\.1/],
  ])('refuses %s', async (_what, authority, message) => {
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    const { port, refusals } = await open(['example.com'], { resolve })
    expect(await talk(port, `CONNECT ${authority} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
    expect(refusals).toEqual([expect.stringMatching(message)])
  })

  it('forwards plain requests to allowed hosts only', async () => {
    const target = await listen(
      createServer((request, response) => void response.end(`got ${request.url} ${request.headers.host}`)),
    )
    const { port } = await open([`127.0.0.1:${target}`])
    const ask = (url: string) => talk(port, `GET ${url} HTTP/1.1\r\nhost: evil\r\nconnection: close\r\n\r\n`)
    expect(await ask(`http://127.0.0.1:${target}/a?b`)).toContain(`got /a?b 127.0.0.1:${target}`)
    expect(await ask(`http://localhost:${target}/`)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await ask('/')).toMatch(/^HTTP\/1\.1 403 /)
    expect(await ask('https://127.0.0.1/')).toMatch(/^HTTP\/1\.1 403 /)
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
      closers.push(() => void target.close())
      const { port, refusals } = await open([`${host}:443`])
      const head = `CONNECT ${host}:443 HTTP/1.1\r\n\r\n`
      for (const greeting of ['SSH-2.0-x\r\n', await helloFor('front.example')]) {
        expect(await talk(port, head, greeting)).not.toContain('bye')
      }
      expect(refusals).toEqual([expect.stringContaining('not TLS for that name'), expect.stringContaining(host)])
      expect(received).toEqual([])
      const hello = await helloFor('')
      expect(await talk(port, head, hello)).toContain('bye')
      expect(received).toEqual([hello.toString('latin1')])
    },
  )

  it('says when an allowed host does not answer', async () => {
    const target = createTcpServer()
    const free = await listen(target)
    await new Promise((resolve) => target.close(resolve))
    const { port } = await open([`127.0.0.1:${free}`])
    expect(await talk(port, `CONNECT 127.0.0.1:${free} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 502 .*ECONNREFUSED/s)
  })
})

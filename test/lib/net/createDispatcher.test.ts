import { createServer as createTcpServer, type Socket } from 'node:net'
import { request } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDispatcher, operatorProxy } from '../../../src/lib/net/createDispatcher.ts'
import { portHere } from '../../helpers/listenHere.ts'
import { loopback, serve } from './serve.ts'

const LOCAL = { address: '127.0.0.1', family: 4 }

/** A server that counts connections, and keeps what comes through them. */
async function watch() {
  const sockets: Socket[] = []
  const received: Buffer[] = []
  const server = createTcpServer((socket) => {
    sockets.push(socket.on('error', () => undefined).on('data', (bytes) => received.push(bytes)))
  })
  const port = await portHere(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { sockets, received, port }
}

describe('createDispatcher', () => {
  it('dials no internal literal, not even to look', async () => {
    const { sockets, port } = await watch()
    const dispatcher = await createDispatcher({})
    await expect(request(`http://127.0.0.1:${port}/`, { dispatcher })).rejects.toMatchObject({
      ...{ name: 'NetworkRefusal', message: '127.0.0.1 is not an address of the public internet' },
    })
    expect(sockets).toEqual([])
  })

  it('gives every connection the address that was checked, from one look', async () => {
    const { requests, port } = await serve()
    const asked: string[] = []
    // A name that has another address each time it is asked for.
    const resolve = async (name: string) => (asked.push(name) === 1 ? [LOCAL] : [{ address: '127.0.0.2', family: 4 }])
    const dispatcher = await createDispatcher({ resolve, allowPrivate: (name) => name === 'a.example' })
    const { body } = await request(`http://a.example:${port}/`, { dispatcher, reset: true })
    expect([await body.text(), asked, requests.map(({ url }) => url)]).toEqual(['ok', ['a.example'], ['/']])
  })

  it('closes a connection that went elsewhere, and sends nothing through it', async () => {
    const { sockets, received, port } = await watch()
    let looks = 0
    // The first look is the guard's, what follows is dialled.
    const shifty = {
      family: 4,
      get address() {
        return looks++ === 0 ? '93.184.215.14' : '127.0.0.1'
      },
    }
    const dispatcher = await createDispatcher({ resolve: async () => [shifty] })
    await expect(request(`http://a.example:${port}/`, { dispatcher })).rejects.toThrow('a.example (127.0.0.1) is not')
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), 10_000)
    expect(received).toEqual([])
  })

  it('tells why it could not connect', async () => {
    const { port } = await watch()
    const broken = createTcpServer()
    const free = await portHere(broken)
    await new Promise((resolve) => broken.close(resolve))
    const dispatcher = await createDispatcher(loopback)
    await expect(request(`http://127.0.0.1:${free}/`, { dispatcher })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const failing = { resolve: () => Promise.reject(new Error('no resolver')) }
    const lost = await createDispatcher(failing)
    await expect(request(`http://a.example:${port}/`, { dispatcher: lost })).rejects.toThrow('no resolver')
  })

  it('offers HTTP/1.1 alone, to a host and to one behind a proxy', async () => {
    for (const isProxied of [false, true]) {
      const { sockets, received, port } = await watch()
      const guard = { ...loopback, proxy: isProxied ? `http://127.0.0.1:${port}` : undefined }
      const dispatcher = await createDispatcher(guard)
      const failed = expect(request(`https://127.0.0.1:${port}/`, { dispatcher })).rejects.toThrow()
      const text = () => Buffer.concat(received).toString('latin1')
      if (isProxied) {
        await vi.waitFor(() => expect(text()).toMatch(/^CONNECT 127\.0\.0\.1:.*\r\n\r\n$/s), 10_000)
        sockets[0]?.write('HTTP/1.1 200 OK\r\n\r\n')
      }
      // The protocols that the client names in the first message of TLS.
      await vi.waitFor(() => expect(text()).toContain('\x08http/1.1'), 10_000)
      expect(text()).not.toContain('\x02h2')
      for (const socket of sockets) socket.destroy()
      await failed
    }
  })
})

it.each([
  [{}, undefined],
  [{ HTTPS_PROXY: '', https_proxy: 'a' }, 'a'],
  [{ http_proxy: 'b' }, 'b'],
  [{ HTTPS_PROXY: 'c', https_proxy: 'a', HTTP_PROXY: 'b' }, 'c'],
  [{ HTTP_PROXY: 'd', http_proxy: 'b' }, 'd'],
])('finds the proxy that %j names', (environment, proxy) => expect(operatorProxy(environment)).toBe(proxy))

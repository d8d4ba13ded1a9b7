import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { messageOf } from '../../contracts/errors.ts'
import { type AddressGuardOptions, createAddressGuard, NetworkRefusal } from '../../lib/net/createAddressGuard.ts'
import { parseUrl } from '../../lib/net/parseUrl.ts'
import { type HostRule, isHostAllowed, mayBeInternal } from './parseHostRule.ts'
import { readServerName } from './readServerName.ts'

const CONNECT_MS = 10_000
const TLS_PORT = 443
const MAX_HELLO_BYTES = 64 * 1024

export type NetworkProxyOptions = {
  readonly rules: readonly HostRule[]
  /** Where to listen: a socket file, or a free port of the loopback interface. */
  readonly listen: { readonly path: string } | { readonly host: '127.0.0.1'; readonly port: 0 }
  readonly resolve?: AddressGuardOptions['resolve']
  readonly onRefusal: (message: string) => void
}

/**
 * A proxy that lets children reach only the hosts of the rules: CONNECT for anything, plain requests for http. Internal
 * addresses are refused unless a rule names them. On port 443 only TLS passes, and only with the server name of the
 * connection. Otherwise any host behind a shared front end could be reached.
 */
export async function createNetworkProxy(options: NetworkProxyOptions) {
  const sockets = new Set<Duplex>()
  const dial = createDialer(options)
  const refuse = (error: unknown, host: string) => {
    const message = wordsFor(error, host)
    options.onRefusal(message)
    return { status: error instanceof NetworkRefusal ? 403 : 502, message }
  }
  const server = createServer((request, response) => void forward(request, response, { dial, refuse }))
  server.on('connection', (socket) => track(sockets, socket))
  server.on('connect', (request, client: Duplex, head) => {
    const { hostname, port } = authorityOf(request.url ?? '')
    dial(hostname, port)
      .then((upstream) => {
        track(sockets, upstream)
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        client.unshift(head)
        tunnel(client, upstream, port === TLS_PORT ? hostname : undefined, options.onRefusal)
      })
      .catch((error: unknown) => {
        const { status, message } = refuse(error, hostname)
        client.end(`HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${message}\n`)
      })
  })
  await once(server.listen(options.listen), 'listening')
  // A connection that cannot be accepted, as without free descriptors, does not end the run.
  server.on('error', () => undefined)
  const address = server.address()
  return {
    /** 0 if it listens on a file. */
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** An internal host must be written with its port: the message says so. */
function wordsFor(error: unknown, host: string): string {
  if (!(error instanceof NetworkRefusal)) return `${host} cannot be reached: ${messageOf(error)}`
  return error.code === 'address'
    ? `${error.message}; to allow it, add it to sandbox.allow with its port`
    : error.message
}

type Dial = (host: string, port: number) => Promise<Socket>

/** Connects to an address that was looked up and checked once, so that a second lookup cannot return another. */
function createDialer({ rules, resolve }: NetworkProxyOptions): Dial {
  const guard = createAddressGuard({ resolve, allowPrivate: (host) => mayBeInternal(rules, host) })
  return async (host, port) => {
    if (!isHostAllowed(rules, host, port)) {
      throw new NetworkRefusal('rule', `${host}:${port} is not in sandbox.allow`)
    }
    guard.checkHost(host)
    const address = { host: host.replace(/^\[(.*)\]$/, '$1'), port }
    const socket = connect({ ...address, lookup: guard.lookup, timeout: CONNECT_MS })
    socket.once('timeout', () => socket.destroy(new Error('no connection within 10 s')))
    await once(socket, 'connect')
    try {
      guard.checkSocket(host, socket)
    } catch (error) {
      socket.destroy()
      throw error
    }
    return socket.setTimeout(0)
  }
}

/** `host:port` as URLs spell it, so that `0x7f.1` becomes what it means; port 0 for nonsense. */
function authorityOf(text: string): { hostname: string; port: number } {
  const url = parseUrl(`http://${text}`)
  if (!/^[^\s/?#@]+:\d+$/.test(text) || url === undefined) return { hostname: text, port: 0 }
  return { hostname: url.hostname, port: Number(url.port || 80) }
}

function tunnel(
  client: Duplex,
  upstream: Socket,
  name: string | undefined,
  onRefusal: (message: string) => void,
): void {
  upstream.on('close', () => client.destroy())
  client.on('close', () => upstream.destroy())
  upstream.pipe(client)
  if (name === undefined) {
    client.pipe(upstream)
    return
  }
  let hello = Buffer.alloc(0)
  const inspect = (chunk: Buffer) => {
    hello = Buffer.concat([hello, chunk])
    const greeting = readServerName(hello)
    if (greeting === 'incomplete' && hello.length < MAX_HELLO_BYTES) return
    client.off('data', inspect)
    const isAsked = typeof greeting === 'object' && (greeting.serverName ?? name) === name
    if (isAsked) {
      upstream.write(hello)
      client.pipe(upstream)
    } else {
      onRefusal(`a connection to ${name}:443 was not TLS for that name`)
      client.destroy()
    }
  }
  client.on('data', inspect)
}

type ForwardContext = { dial: Dial; refuse: (error: unknown, host: string) => { status: number; message: string } }

/** A plain request names its whole URL: RFC 9112, section 3.2.2. */
async function forward(request: IncomingMessage, response: ServerResponse, { dial, refuse }: ForwardContext) {
  const target = request.url ?? ''
  const url = parseUrl(target)
  try {
    if (url?.protocol !== 'http:') throw new NetworkRefusal('url', `${target} is not a proxy request`)
    const socket = await dial(url.hostname, Number(url.port || 80))
    const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = request.headers
    const onward = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, connection: 'close' },
    })
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      // An answer that breaks off ends the response too.
      pipeline(answer, response, () => undefined)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => socket.destroy())
    request.pipe(onward)
  } catch (error) {
    const { status, message } = refuse(error, url?.host ?? target)
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${message}\n`)
  }
}

/** Ends a socket that fails: who waits for its close is told. */
function track(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => sockets.delete(socket))
}

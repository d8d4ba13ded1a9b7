import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { renderTurn, type Turn } from '../../../src/model/replay/renderTurn.ts'
import { listenHere } from '../listenHere.ts'

export type CloudRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

type Answer = (request: CloudRequest, response: ServerResponse) => void

/** A loopback server in the place of a cloud. */
export async function startCloud(answer: Answer): Promise<{ readonly url: string; readonly requests: CloudRequest[] }> {
  const requests: CloudRequest[] = []
  const server = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, text: await readText(incoming) }
    requests.push(request)
    answer(request, response)
  })
  return { url: await listenHere(server), requests }
}

/** A proxy, and the hosts that it was asked for. */
export async function startProxy(): Promise<{ readonly url: string; readonly hosts: string[] }> {
  const hosts: string[] = []
  const proxy = createServer((_, response) => void response.writeHead(400).end())
  proxy.on('connect', ({ url = '' }, socket) => {
    hosts.push(url)
    const [host, port] = url.split(':')
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  return { url: await listenHere(proxy), hosts }
}

/** Answers with server-sent events, as Vertex and Foundry do. */
export function answerWithEvents(turn: Turn, model: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(renderTurn(turn, { id: 'fixture', model }).join(''))
}

/** Answers in AWS's event stream: one `chunk` message for each event, with its JSON in base64. */
export function answerWithFrames(turn: Turn, model: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
  for (const event of renderTurn(turn, { id: 'fixture', model })) {
    const data = /^data: (.*)$/m.exec(event)?.[1] ?? ''
    response.write(frame({ bytes: Buffer.from(data).toString('base64') }))
  }
  response.end()
}

/** One message: lengths, their CRC, headers, payload, the CRC of all; "vnd.amazon.eventstream" of AWS's documentation. */
function frame(payload: unknown): Buffer {
  const fields = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }
  const headers = Object.entries(fields)
    .map(
      ([name, value]) =>
        `${String.fromCharCode(name.length)}${name}\u0007\0${String.fromCharCode(value.length)}${value}`,
    )
    .join('')
  const body = Buffer.from(`${headers}${JSON.stringify(payload)}`)
  const uint32 = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')
  const withSum = (bytes: Buffer) => Buffer.concat([bytes, uint32(crc32(bytes))])
  const prelude = Buffer.concat([uint32(16 + body.length), uint32(headers.length)])
  return withSum(Buffer.concat([withSum(prelude), body]))
}

/** The Signature Version 4 that the request must have for this secret; "Create a signed AWS API request" of AWS's documentation. */
export function signatureFor(request: CloudRequest, secret: string): string {
  const { headers, path, method, text } = request
  const authorization = headers.authorization ?? ''
  const [, date = '', region = '', service = ''] =
    /Credential=[^/]+\/(\d+)\/([^/]+)\/([^/]+)\//.exec(authorization) ?? []
  const names = (/SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? '').split(';')
  const canonical = [
    method,
    path.split('/').map(encodeURIComponent).join('/'),
    '',
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names.join(';'),
    createHash('sha256').update(text).digest('hex'),
  ].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const hash = createHash('sha256').update(canonical).digest('hex')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n')
  const sign = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(sign, `AWS4${secret}`)
  return sign(key, toSign).toString('hex')
}

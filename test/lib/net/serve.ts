import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenHere } from '../../helpers/listenHere.ts'

type Seen = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Lets a guard pass this machine. */
export const loopback = { allowPrivate: (host: string) => host === '127.0.0.1' }

/** A server that remembers what it was asked. */
export async function serve(answer: (response: ServerResponse) => void = (response) => void response.end('ok')) {
  const requests: Seen[] = []
  const server = createServer(async (message, response) => {
    const { method = '', url = '', headers } = message
    requests.push({ method, url, headers, body: await text(message) })
    answer(response)
  })
  const at = await listenHere(server)
  return { requests, at, port: Number(new URL(at).port) }
}

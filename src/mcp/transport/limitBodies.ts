import { parseObject } from '../../lib/text/json.ts'
import type { McpOptions } from '../McpServers.ts'
import type { StreamEnd } from './endCutRequests.ts'

const MAX_BYTES = 64 * 1024 * 1024

/**
 * A fetch whose bodies fail beyond 64 MiB, and event streams beyond 64 MiB between two line ends, so that a server
 * cannot fill the memory. `onStreamEnd` is called when an event stream ends or breaks.
 */
export function limitBodies(fetch: McpOptions['fetch'], onStreamEnd: (end: StreamEnd) => void): McpOptions['fetch'] {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (response.body === null) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const { body, status, statusText, headers } = response
    const limited = isStream ? limitStream(body, requestIn(init?.body), onStreamEnd) : body.pipeThrough(limit())
    const copy = new Response(limited, { status, statusText, headers })
    Object.defineProperty(copy, 'url', { value: response.url })
    return copy
  }
}

function limitStream(
  body: ReadableStream<Uint8Array>,
  id: StreamEnd['id'],
  onEnd: (end: StreamEnd) => void,
): ReadableStream<Uint8Array> {
  let canGoOn = false
  let tail = '\n'
  const { readable, writable } = limit((chunk) => {
    if (canGoOn) return
    const text = tail + Buffer.from(chunk).toString('latin1')
    canGoOn = /[\r\n]id:/.test(text)
    tail = text.slice(-3)
  })
  const ended = () => onEnd({ id, canGoOn })
  // A broken source also ends `readable` with its error.
  body.pipeTo(writable).then(ended, ended)
  return readable
}

/** The id of the request in a body that is sent: the SDK counts its own, and sends one at a time. */
function requestIn(body: unknown): number | undefined {
  const sent = typeof body === 'string' ? parseObject(body) : undefined
  return sent !== undefined && 'method' in sent && typeof sent['id'] === 'number' ? sent['id'] : undefined
}

/** With `onChunk`, which sees each before it is passed on, the limit holds for each line. */
function limit(onChunk?: (chunk: Uint8Array) => void): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      const end = onChunk === undefined ? -1 : chunk.lastIndexOf(10)
      size = end === -1 ? size + chunk.byteLength : chunk.byteLength - end
      onChunk?.(chunk)
      if (size > MAX_BYTES) controller.error(new Error(`the server sent more than ${MAX_BYTES / 1024 ** 2} MiB`))
      else controller.enqueue(chunk)
    },
  })
}

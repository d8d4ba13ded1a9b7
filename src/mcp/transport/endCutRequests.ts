import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { CONNECTION_CLOSED } from '../tools/codeOf.ts'

type Id = string | number

export type StreamEnd = {
  /** The request it answered; none for a stream of the server's own messages. */
  readonly id: Id | undefined
  /** True if the server numbered its events: the SDK resumes such a stream with `Last-Event-ID`. */
  readonly canGoOn: boolean
}

/** How long to wait for the SDK to read the rest of an ended stream. */
const LAST_WORDS_MS = 100

/**
 * Ends requests whose answer can no longer arrive, because their stream broke off and cannot be resumed. Otherwise they
 * would wait for their time limit. The transport must be connected.
 */
export function endCutRequests(transport: Transport) {
  // Those sent from now on: the handshake before has got its answers.
  const open = new Set<Id>()
  const cut = new Set<Id>()
  const deliver = transport.onmessage
  transport.onmessage = (message, extra) => {
    if ('id' in message && message.id !== undefined && !('method' in message)) open.delete(message.id)
    deliver?.(message, extra)
  }
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if ('id' in message && 'method' in message) open.add(message.id)
    return send(message, options)
  }
  const end = (id: Id): void => {
    cut.delete(id)
    if (!open.has(id)) return
    const error = { code: CONNECTION_CLOSED, message: 'the stream of the answer ended early' }
    transport.onmessage?.({ jsonrpc: '2.0', id, error } satisfies JSONRPCMessage)
  }
  return {
    streamEnded({ id, canGoOn }: StreamEnd) {
      if (id === undefined) return
      if (canGoOn) cut.add(id)
      else setTimeout(end, LAST_WORDS_MS, id).unref()
    },
    gaveUp() {
      for (const id of cut) end(id)
    },
  }
}

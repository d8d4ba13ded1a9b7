import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, expect, test, vi } from 'vitest'
import { endCutRequests } from '../../../src/mcp/transport/endCutRequests.ts'

afterEach(() => void vi.useRealTimers())

test('only requests without an answer end with their stream, and none of the handshake', async () => {
  vi.useFakeTimers()
  const got: JSONRPCMessage[] = []
  const transport: Transport = {
    ...{ start: async () => undefined, send: async () => undefined, close: async () => undefined },
    onmessage: (message) => void got.push(message),
  }
  const cuts = endCutRequests(transport)
  for (const id of [2, 3]) await transport.send({ jsonrpc: '2.0', id, method: 'tools/call' })
  transport.onmessage?.({ jsonrpc: '2.0', id: 2, result: {} })
  for (const id of [undefined, 1, 2, 3]) cuts.streamEnded({ id, canGoOn: false })
  vi.advanceTimersByTime(1000)
  expect(got).toEqual([
    { jsonrpc: '2.0', id: 2, result: {} },
    { jsonrpc: '2.0', id: 3, error: { code: -32000, message: 'the stream of the answer ended early' } },
  ])
})

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type EventStore, StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { expect, test } from 'vitest'
import { isObject } from '../../src/lib/isObject.ts'
import { listenHere } from '../helpers/listenHere.ts'
import { connectTestServers } from '../helpers/tools/testMcp.ts'

/** Numbered events: the store of the SDK's examples orders those of one millisecond by chance. */
function createEventStore(): EventStore {
  const events: { readonly streamId: string; readonly message: Parameters<EventStore['storeEvent']>[1] }[] = []
  return {
    storeEvent: async (streamId, message) => `${events.push({ streamId, message })}`,
    getStreamIdForEventId: async (id) => events[Number(id) - 1]?.streamId,
    async replayEventsAfter(last, { send }) {
      const streamId = events[Number(last) - 1]?.streamId ?? ''
      for (const [index, event] of events.entries()) {
        if (index >= Number(last) && event.streamId === streamId) await send(`${index + 1}`, event.message)
      }
      return streamId
    },
  }
}

/** The end of a stream before its answer, by the tool that is called. */
type Cut = 'politely' | 'by the network' | 'before its head' | undefined

type Behavior = { readonly callsEach?: number; readonly cut?: Cut; readonly isResumable?: boolean }

/**
 * A server of the reference SDK with sessions, each of which is forgotten after `callsEach` calls. Its one tool counts the
 * calls, and may end the stream of its answer first.
 */
async function serve({ callsEach = 9, cut, isResumable = true }: Behavior) {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const seen = { initialized: 0, calls: 0, lastEventIds: [] as string[] }
  const begin = async () => {
    let left = callsEach
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      retryInterval: 20,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      ...(isResumable ? { eventStore: createEventStore() } : {}),
    })
    const server = new McpServer({ name: 'sdk', version: '1' })
    server.registerTool('count', { description: 'counts' }, async ({ closeSSEStream }) => {
      seen.calls += 1
      left -= 1
      if (left === 0) sessions.delete(transport.sessionId ?? '')
      if (cut === 'politely') closeSSEStream?.()
      while (cut === 'by the network' && answering?.headersSent === false) await setImmediate()
      if (cut !== undefined && cut !== 'politely') answering?.destroy()
      return { content: [{ type: 'text', text: `call ${seen.calls}` }] }
    })
    seen.initialized += 1
    await server.connect(transport)
    return transport
  }
  let answering: ServerResponse | undefined
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const { 'mcp-session-id': id, 'last-event-id': last } = request.headers
    if (last !== undefined) seen.lastEventIds.push(String(last))
    const transport = id === undefined ? await begin() : sessions.get(String(id))
    if (transport === undefined) return void response.writeHead(404).end('unknown session')
    const body = request.method === 'POST' ? await json(request) : undefined
    if (isObject(body) && body['method'] === 'tools/call') answering = response
    await transport.handleRequest(request, response, body)
  }
  const server = createServer((request, response) => void listener(request, response))
  return { seen, url: `${await listenHere(server)}/mcp` }
}

test('a session that the server has forgotten is begun again once, within the call', async () => {
  const { seen, url } = await serve({ callsEach: 1 })
  const { call, events } = await connectTestServers({ sdk: { url } })
  for (const text of ['call 1', 'call 2', 'call 3']) {
    expect(await call('mcp__sdk__count')).toMatchObject({ isError: false, text })
  }
  expect(seen).toMatchObject({ initialized: 3, calls: 3 })
  expect(events.filter((event) => 'code' in event && event.code === 'mcp_server_ended')).toEqual([])
})

test.each<Cut>(['politely', 'by the network'])('an answer cut %s is taken up with Last-Event-ID', async (cut) => {
  const { seen, url } = await serve({ cut })
  const { call } = await connectTestServers({ sdk: { url } })
  expect(await call('mcp__sdk__count')).toMatchObject({ isError: false, text: 'call 1' })
  expect(seen.calls).toBe(1)
  expect(seen.lastEventIds.length).toBeGreaterThan(0)
})

const ENDS = 'an answer that is cut %s and cannot be taken up ends at once: its effect is unknown'
test.each<Cut>(['by the network', 'before its head'])(ENDS, async (cut) => {
  const { seen, url } = await serve({ cut, isResumable: false })
  const { call } = await connectTestServers({ sdk: { url, timeout: 3600 } })
  const text = expect.stringContaining('It is unknown whether the call took effect')
  expect(await call('mcp__sdk__count')).toMatchObject({ isError: true, text })
  expect(seen.calls).toBe(1)
})

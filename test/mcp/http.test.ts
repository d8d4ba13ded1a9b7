import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { listenHere } from '../helpers/listenHere.ts'
import { connectTestServers } from '../helpers/tools/testMcp.ts'

type Message = { id?: number; method: string; params?: { name?: string } }
type Answer = (message: Message, send: (result: unknown) => void, request: Parameters<RequestListener>) => void

/** A streamable HTTP server that answers with plain JSON; `onCall` answers its one tool. */
async function serve(onCall: Answer, onAny?: (request: Parameters<RequestListener>) => boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    if (onAny?.([request, response])) return
    if (request.method !== 'POST') return void response.writeHead(405).end()
    let body = ''
    for await (const chunk of request) body += chunk
    const message: Message = JSON.parse(body)
    if (message.id === undefined) return void response.writeHead(202).end()
    const send = (result: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    }
    const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    if (message.method === 'initialize') return send(info)
    if (message.method === 'tools/list') return send({ tools: [{ name: 'run', inputSchema: { type: 'object' } }] })
    if (message.method === 'ping') return send({})
    onCall(message, send, [request, response])
  })
  return `${await listenHere(server)}/mcp`
}

test.each([
  ['a redirect to another origin is not followed', 307, /Redirect to http:\/\/127\.0\.0\.1:9\/elsewhere not followed/],
  [
    'a refusal is reported with its status',
    401,
    /MCP server shut did not start: HTTP 401: .*no token; its token belongs under `headers` of the entry/,
  ],
])('%s', async (_, status, words) => {
  const url = await serve(
    () => undefined,
    ([, response]) => {
      response.writeHead(status, { location: 'http://127.0.0.1:9/elsewhere' }).end('no token')
      return true
    },
  )
  await expect(connectTestServers({ shut: { url } })).rejects.toThrow(words)
})

test('a lost session is restarted at the next call', async () => {
  let calls = 0
  const url = await serve((_, send, [, response]) => {
    calls += 1
    if (calls === 1) response.writeHead(404).end('unknown session')
    else send({ content: [{ type: 'text', text: `call ${calls}` }] })
  })
  const { call, events } = await connectTestServers({ a: { url } })
  expect(await call('mcp__a__run')).toMatchObject({ isError: true, text: expect.stringContaining('unknown session') })
  expect(await call('mcp__a__run')).toMatchObject({ isError: false, text: 'call 2' })
  expect(events).toContainEqual(expect.objectContaining({ code: 'mcp_server_ended' }))
})

test('a call without an answer times out', async () => {
  const url = await serve(() => undefined)
  const { call } = await connectTestServers({ a: { url, timeout: 0.3 } })
  const { isError, text } = await call('mcp__a__run')
  expect(isError).toBe(true)
  expect(text).toMatch(/did not finish within 0\.3 s\. It is unknown whether/)
})

test('a session that is lost again at once fails the call', async () => {
  let calls = 0
  const url = await serve(
    (_, __, [, response]) => {
      calls += 1
      response.writeHead(404).end('unknown session')
    },
    ([, response]) => {
      response.setHeader('mcp-session-id', 'one')
      return false
    },
  )
  const { call } = await connectTestServers({ a: { url } })
  expect(await call('mcp__a__run')).toMatchObject({ isError: true, text: expect.stringContaining('has expired') })
  expect(calls).toBe(2)
})

const STREAM = { 'content-type': 'text/event-stream' }

test('an answer that cannot be resumed fails before the time limit', async () => {
  const url = await serve(
    (_, __, [, response]) => {
      response.writeHead(200, STREAM)
      response.write('id: 7\nretry: 50\ndata:\n\n', () => response.destroy())
    },
    ([request, response]) => {
      if (request.headers['last-event-id'] === undefined) return false
      response.writeHead(500).end()
      return true
    },
  )
  const { call } = await connectTestServers({ a: { url } })
  const text = expect.stringContaining('ended during the call')
  expect(await call('mcp__a__run')).toMatchObject({ isError: true, text })
}, 120_000)

import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
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
    if (message.method === 'initialize') {
      return send({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      })
    }
    if (message.method === 'tools/list') return send({ tools: [{ name: 'run', inputSchema: { type: 'object' } }] })
    if (message.method === 'ping') return send({})
    onCall(message, send, [request, response])
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

test('a text of 50 MB goes to a blob', { tags: 'long' }, async () => {
  const url = await serve((_, send) => send({ content: [{ type: 'text', text: 'z'.repeat(50 * 1024 * 1024) }] }))
  const { call } = await connectTestServers({ big: { url } })
  const { text } = await call('mcp__big__run')
  expect(text.length).toBeLessThan(80_000)
  const [, path = ''] = /the whole answer: (\S+)/.exec(text) ?? []
  expect(readFileSync(path).length).toBe(50 * 1024 * 1024)
})

test('a body over 64 MiB fails the call', { tags: 'long' }, async () => {
  const url = await serve((_, send) => send({ content: [{ type: 'text', text: 'z'.repeat(70 * 1024 * 1024) }] }))
  const { call } = await connectTestServers({ big: { url } })
  expect(await call('mcp__big__run')).toMatchObject({
    isError: true,
    text: expect.stringContaining('sent more than 64 MiB'),
  })
})

test('a redirect to another origin is not followed', async () => {
  const url = await serve(
    () => undefined,
    ([, response]) => {
      response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end()
      return true
    },
  )
  await expect(connectTestServers({ moved: { url } })).rejects.toThrow(
    /Redirect to http:\/\/127\.0\.0\.1:9\/elsewhere not followed/,
  )
})

test('a refusal is reported with its status', async () => {
  const url = await serve(
    () => undefined,
    ([, response]) => {
      response.writeHead(401).end('no token')
      return true
    },
  )
  await expect(connectTestServers({ shut: { url } })).rejects.toThrow(
    /MCP server shut did not start: HTTP 401: .*no token; its token belongs under `headers` of the entry/,
  )
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
  expect(text).toMatch(/(was silent for|did not finish within) 0\.3 s\. It is unknown whether/)
})

test('an expired session is renewed within the call, and does not count as a restart', async () => {
  const seen: string[] = []
  let session = 0
  const url = await serve(
    (_, send, [request]) => {
      seen.push(String(request.headers['mcp-session-id']))
      send({ content: [{ type: 'text', text: `in session ${session}` }] })
    },
    ([request, response]) => {
      if (request.method !== 'POST') return false
      const asked = request.headers['mcp-session-id']
      if (asked === undefined) response.setHeader('mcp-session-id', `s${++session}`)
      const isExpired = asked === 's1' && seen.length > 0
      if (isExpired) response.writeHead(404).end('unknown session')
      return isExpired
    },
  )
  const { call, events } = await connectTestServers({ a: { url } })
  expect(await call('mcp__a__run')).toMatchObject({ text: 'in session 1' })
  expect(await call('mcp__a__run')).toMatchObject({ isError: false, text: 'in session 2' })
  expect(seen).toEqual(['s1', 's2'])
  expect(events).not.toContainEqual(expect.objectContaining({ code: 'mcp_server_ended' }))
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

test('an interrupted answer without event ids fails at once', async () => {
  const url = await serve((_, __, [, response]) => {
    response.writeHead(200, STREAM)
    response.write(': hello\n\n', () => response.destroy())
  })
  const { call } = await connectTestServers({ a: { url } })
  expect(await call('mcp__a__run')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/ended during the call .*It is unknown whether the call took effect/),
  })
}, 120_000)

test('an interrupted answer is resumed where it ended', async () => {
  const asked: unknown[] = []
  let id: number | undefined
  const url = await serve(
    (message, __, [, response]) => {
      id = message.id
      response.writeHead(200, STREAM)
      response.write('id: 7\nretry: 50\ndata:\n\n', () => response.destroy())
    },
    ([request, response]) => {
      const last = request.headers['last-event-id']
      if (last === undefined) return false
      asked.push(last)
      response.writeHead(200, STREAM)
      const result = { content: [{ type: 'text', text: 'after all' }] }
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
      return true
    },
  )
  const { call } = await connectTestServers({ a: { url } })
  expect(await call('mcp__a__run')).toMatchObject({ isError: false, text: 'after all' })
  expect(asked).toEqual(['7'])
}, 120_000)

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
  expect(await call('mcp__a__run')).toMatchObject({
    isError: true,
    text: expect.stringContaining('ended during the call'),
  })
}, 120_000)

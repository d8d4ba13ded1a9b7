import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { closeServersAfterEach, connectTestServers } from '../helpers/testMcp.ts'

closeServersAfterEach()
const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

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
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

test('a text of 50 MB goes to a blob', async () => {
  const url = await serve((_, send) => send({ content: [{ type: 'text', text: 'z'.repeat(50 * 1024 * 1024) }] }))
  const { call } = await connectTestServers({ big: { url } })
  const { text } = await call('mcp__big__run')
  expect(text.length).toBeLessThan(80_000)
  const [, path = ''] = /the whole answer: (\S+)/.exec(text) ?? []
  expect(readFileSync(path).length).toBe(50 * 1024 * 1024)
})

test('a body beyond 64 MiB is an error of the call', async () => {
  const url = await serve((_, send) => send({ content: [{ type: 'text', text: 'z'.repeat(70 * 1024 * 1024) }] }))
  const { call } = await connectTestServers({ big: { url } })
  expect(await call('mcp__big__run')).toMatchObject({
    isError: true,
    text: expect.stringContaining('sent more than 64 MiB'),
  })
})

test('a redirect to another place is not followed', async () => {
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

test('a refusal is told with its status', async () => {
  const url = await serve(
    () => undefined,
    ([, response]) => {
      response.writeHead(401).end('no token')
      return true
    },
  )
  await expect(connectTestServers({ shut: { url } })).rejects.toThrow(
    /MCP server shut did not come up: HTTP 401: .*no token; its token belongs under `headers` of the entry/,
  )
})

test('a lost session is begun again at the next call', async () => {
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

test('a server that does not answer a call is given up', async () => {
  const url = await serve(() => undefined)
  const { call } = await connectTestServers({ a: { url, timeout: 0.3 } })
  const { isError, text } = await call('mcp__a__run')
  expect(isError).toBe(true)
  expect(text).toMatch(/(was silent for|did not finish within) 0\.3 s\. Whether/)
})

import { createServer, type IncomingMessage } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import * as z from 'zod'
import { listenHere } from '../listenHere.ts'

export const CLIENT = { id: 'kode-client', secret: 'client-secret-0a1b2c3d4e5f' }

type Options = {
  /** True for the `authorization` of a request that may enter. */
  mayEnter?(authorization: string | undefined): boolean
  /** Names the authorization server instead of itself. */
  readonly issuer?: string
  readonly tools?: readonly string[]
  /** True while it answers with 503. */
  isDown?(): boolean
}

/** A real MCP server over HTTP, and the OAuth server that it names, on one loopback port. Its tools say what they got. */
export async function serveMcp({ mayEnter, issuer, tools = ['run'], isDown = () => false }: Options = {}) {
  const seen: { path: string; headers: IncomingMessage['headers']; body: string }[] = []
  const valid = new Set<string>()
  let issued = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { headers, url: path = '' } = request
    seen.push({ path, headers, body })
    const json = (status: number, value: object, more = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(value))
    if (isDown()) return void response.writeHead(503).end('not yet')
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return void json(200, { resource: `${origin}/mcp`, authorization_servers: [issuer ?? origin] })
    if (path.startsWith('/.well-known/'))
      return void json(200, {
        issuer: origin,
        ...{ authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
        response_types_supported: ['code'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      })
    if (path === '/token') {
      const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`
      if (headers.authorization !== basic) return void json(401, { error: 'invalid_client' })
      const token = `access-token-${++issued}-9f8e7d6c5b4a`
      valid.add(`Bearer ${token}`)
      return void json(200, { access_token: token, token_type: 'Bearer', expires_in: 60 })
    }
    const mayPass = mayEnter?.(headers.authorization) ?? valid.has(headers.authorization ?? '')
    if (!mayPass)
      return void json(
        401,
        { error: 'invalid_token' },
        { 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` },
      )
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const mcp = new McpServer({ name: 'http', version: '1' })
    for (const name of tools)
      mcp.registerTool(name, { description: `does ${name}`, inputSchema: { text: z.string().optional() } }, () => ({
        content: [{ type: 'text', text: `${name} with ${headers.authorization ?? 'nothing'}` }],
      }))
    const transport = new StreamableHTTPServerTransport({})
    await mcp.connect(transport as Transport)
    await transport.handleRequest(request, response, JSON.parse(body))
  })
  const origin = await listenHere(server)
  return {
    ...{ origin, url: `${origin}/mcp`, seen },
    tokens: () => issued,
    expire: () => valid.clear(),
    at: (path: string) => seen.filter((request) => request.path.startsWith(path)),
  }
}

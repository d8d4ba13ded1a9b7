import { resolve } from 'node:path'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import * as z from 'zod'
import { RunError } from '../../contracts/errors.ts'
import type { McpServerSettings, OAuthSettings } from '../../contracts/settings.ts'
import { parseJson } from '../../lib/text/json.ts'
import type { McpOptions, ServerProcess } from '../McpServers.ts'
import { parseServerUrl, transportOf } from '../settings/checkSettings.ts'
import { createStdioTransport, type StdioTransport } from './createStdioTransport.ts'
import type { StreamEnd } from './endCutRequests.ts'
import { limitBodies } from './limitBodies.ts'

/**
 * The transport of a server whose variables are filled in; `stdio` if it is our own process. The SDK's HTTP transports
 * follow redirects only within the origin. `onStreamEnd` is called when an answer's stream ends or breaks.
 */
export async function createTransport(
  name: string,
  settings: McpServerSettings,
  options: McpOptions,
  onStreamEnd: (end: StreamEnd) => void,
): Promise<{ readonly transport: Transport; readonly stdio?: StdioTransport }> {
  const kind = transportOf(settings)
  if (kind === 'stdio') {
    const stdio = createStdioTransport(toProcess(name, settings, options))
    return { transport: stdio, stdio }
  }
  if (kind === 'sdk') return { transport: await connectInstance(settings) }
  const url = parseServerUrl(name, settings.url ?? '')
  const headers = { ...settings.headers, ...(await headersOfHelper(name, settings, options)) }
  const elsewhere = (init?: RequestInit) => {
    const kept = new Headers(init?.headers)
    for (const key of Object.keys(headers)) kept.delete(key)
    return { ...init, headers: kept }
  }
  const issuer = settings.oauth && new URL(settings.oauth.issuer).origin
  // The headers of the entry are for the server, not for the authorization server that it names.
  const send: McpOptions['fetch'] = async (to, init) => {
    const { origin } = new URL(to)
    if (issuer === undefined || origin === url.origin) return options.fetch(to, init)
    // The server says where to look. It could name any address that this machine reaches. What the issuer names may get the token's request.
    if (origin !== issuer && init?.method !== 'POST')
      throw new Error(`${name} names ${origin}, which is neither its own address nor that of oauth.issuer`)
    return options.fetch(to, elsewhere(init))
  }
  const fetch = limitBodies(send, onStreamEnd)
  const requestInit = { headers }
  const authProvider = settings.oauth && (await credentialsOf(name, settings.oauth, options))
  const auth = { fetch, requestInit, ...(authProvider && { authProvider }) }
  if (kind === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js')
    return { transport: new SSEClientTransport(url, auth) as Transport }
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  return { transport: new StreamableHTTPClientTransport(url, auth) as Transport }
}

/** The client credentials of an entry. Only its issuer gets them, and nobody but the entry says for which scopes. */
async function credentialsOf(name: string, oauth: OAuthSettings, { learn }: McpOptions) {
  const { ClientCredentialsProvider } = await import('@modelcontextprotocol/sdk/client/auth-extensions.js')
  const { issuer: expectedIssuer, scopes, clientId, clientSecret } = oauth
  class Provider extends ClientCredentialsProvider {
    override saveTokens(tokens: OAuthTokens): void {
      learn?.([{ name: `MCP_${name}`, value: tokens.access_token }])
      super.saveTokens(tokens)
    }
    override prepareTokenRequest(asked?: string): URLSearchParams {
      return super.prepareTokenRequest(scopes ?? asked)
    }
  }
  return new Provider({ clientId, clientSecret, expectedIssuer })
}

/** A line end at the end is cut off. One inside is no header, and the error of `fetch` would show the value. */
const HEADERS = z.record(
  z.string(),
  z
    .string()
    .trim()
    .regex(/^\P{Cc}*$/u),
)

/** What an entry's `headersHelper` prints; Claude Code gives it the same variables. */
async function headersOfHelper(name: string, { headersHelper, url = '' }: McpServerSettings, options: McpOptions) {
  if (headersHelper === undefined) return {}
  const key = `mcpServers.${name}.headersHelper`
  const variables = { CLAUDE_CODE_MCP_SERVER_NAME: name, CLAUDE_CODE_MCP_SERVER_URL: url }
  const text = await options.runHelper?.(key, headersHelper, variables, options.signal)
  const parsed = HEADERS.safeParse(parseJson(text ?? ''))
  if (!parsed.success) throw new RunError('auth', `${key} must print a JSON object of texts, each of one line`)
  const values = Object.values(parsed.data).map((value) => value.replace(/^\w+ +/, ''))
  options.learn?.(values.flatMap((value) => (value.length < SHORTEST ? [] : [{ name: `MCP_${name}`, value }])))
  return parsed.data
}

/** A shorter header is no credential, but a word that other texts have too. */
const SHORTEST = 8

/** A pair of transports in this process; the caller's server has the other end. */
async function connectInstance({ instance }: McpServerSettings): Promise<Transport> {
  const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js')
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await instance?.connect(theirs as never)
  return ours
}

function toProcess(name: string, settings: McpServerSettings, options: McpOptions): ServerProcess {
  const server = {
    file: settings.command ?? '',
    args: settings.args ?? [],
    cwd: resolve(options.cwd, settings.cwd ?? '.'),
    env: serverEnvironment(options.env, { ...options.childEnv, ...settings.env }),
  }
  if (settings.sandbox !== true) return server
  if (options.sandbox !== undefined) return options.sandbox(server)
  throw new RunError('mcp_unavailable', `MCP server ${name}: it has sandbox: true, and no sandbox is in force`)
}

/** What a stdio server gets from the operator's environment; its entry must declare anything else under `env`. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'TMPDIR', 'RUNNER_TRACKING_ID'] as const

function serverEnvironment(env: McpOptions['env'], own: Readonly<Record<string, string>>): ServerProcess['env'] {
  const entries = [...INHERITED.map((name) => [name, env[name]] as const), ...Object.entries(own)]
  // A value that starts with `()` is a function that old shells would run: bash, CVE-2014-6271.
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined || value.startsWith('()') ? [] : [[name, value]])),
  )
}

import { resolve } from 'node:path'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { RunError } from '../../contracts/errors.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'
import type { McpOptions, ServerProcess } from '../McpServers.ts'
import { parseServerUrl, transportOf } from '../settings/checkSettings.ts'
import { serverEnvironment } from '../settings/serverEnvironment.ts'
import { createStdioTransport, type StdioTransport } from './createStdioTransport.ts'
import type { StreamEnd } from './endCutRequests.ts'
import { limitBodies } from './limitBodies.ts'

/** A connection to a server, not yet started. `stdio` is set if it is our own process. */
export type ServerTransport = { readonly transport: Transport; readonly stdio?: StdioTransport }

/**
 * The transport of a server whose variables are filled in. The SDK's HTTP transports follow redirects only within the
 * origin, and are loaded on demand. `onStreamEnd` is called when an answer's stream ends or breaks.
 */
export async function createTransport(
  name: string,
  settings: McpServerSettings,
  options: McpOptions,
  onStreamEnd: (end: StreamEnd) => void,
): Promise<ServerTransport> {
  const kind = transportOf(settings)
  if (kind === 'stdio') {
    const stdio = createStdioTransport(toProcess(name, settings, options))
    return { transport: stdio, stdio }
  }
  const url = parseServerUrl(name, settings.url ?? '')
  const fetch = limitBodies(options.fetch, onStreamEnd)
  const requestInit = { headers: { ...settings.headers } }
  if (kind === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js')
    return { transport: new SSEClientTransport(url, { fetch, requestInit }) as Transport }
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  return { transport: new StreamableHTTPClientTransport(url, { fetch, requestInit }) as Transport }
}

function toProcess(name: string, settings: McpServerSettings, options: McpOptions): ServerProcess {
  const server = {
    file: settings.command ?? '',
    args: settings.args ?? [],
    cwd: resolve(options.cwd, settings.cwd ?? '.'),
    env: serverEnvironment(options.env, options.childEnv ?? {}, settings.env ?? {}),
  }
  if (settings.sandbox !== true) return server
  if (options.sandbox !== undefined) return options.sandbox(server)
  throw new RunError('mcp_unavailable', `MCP server ${name}: it has sandbox: true, and no sandbox is in force`)
}

import { resolve } from 'node:path'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { RunError } from '../../contracts/errors.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'
import type { McpOptions, ServerProcess } from '../McpServers.ts'
import { parseServerUrl, transportOf } from '../settings/checkSettings.ts'
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
  if (kind === 'sdk') return { transport: await connectInstance(settings) }
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
    env: serverEnvironment(options.env, options.childEnv ?? {}, settings.env ?? {}),
  }
  if (settings.sandbox !== true) return server
  if (options.sandbox !== undefined) return options.sandbox(server)
  throw new RunError('mcp_unavailable', `MCP server ${name}: it has sandbox: true, and no sandbox is in force`)
}

type Environment = Readonly<Record<string, string | undefined>>

/** What a stdio server gets from the operator's environment; its entry must declare anything else under `env`. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'TMPDIR', 'RUNNER_TRACKING_ID'] as const

/**
 * The whole environment of a stdio server: a few harmless variables, the run's own markers, and what the entry
 * declares.
 */
export function serverEnvironment(
  env: Environment,
  marks: Environment,
  declared: Environment,
): Readonly<Record<string, string>> {
  const inherited = INHERITED.map((name) => [name, env[name]] as const)
  const entries = [...inherited, ...Object.entries(marks), ...Object.entries(declared)]
  // A value that starts with `()` is a function that old shells would run: bash, CVE-2014-6271.
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined || value.startsWith('()') ? [] : [[name, value]])),
  )
}

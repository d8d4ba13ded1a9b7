import { messageOf, RunError } from '../contracts/errors.ts'
import { textsOf } from '../contracts/messages.ts'
import type { McpServerSettings } from '../contracts/settings.ts'
import type { ToolInput } from '../Tool.ts'
import type { LateServer, McpOptions, McpServerState, McpServers } from './McpServers.ts'
import { retryServers } from './retryServers.ts'
import { checkSettings } from './settings/checkSettings.ts'
import { expandVariables } from './settings/expandVariables.ts'
import { type ServerStart, type StartedServer, startServer } from './startServer.ts'
import { createResources } from './tools/createResources.ts'
import { mapContent } from './tools/mapContent.ts'

/** What explains most failures there: a package that is not installed, a place that is not shown. */
const INSIDE = '\nIt started inside the sandbox, with the files and the network that commands have.'

/** How one start went: `error` if there is no server. */
type Start = {
  readonly name: string
  readonly settings: McpServerSettings
  readonly startMs: number
  readonly start: ServerStart
  readonly server?: StartedServer
  readonly error?: unknown
}

/**
 * Starts all servers in parallel. If a required one fails, the others are ended and `RunError('mcp_unavailable')` names
 * all that failed; a failed optional one leaves an `mcp_unavailable` event. Invalid entries throw `RunError('config')`
 * before anything is started.
 */
export async function connectServers(options: McpOptions): Promise<McpServers> {
  const { servers, failure } = await tryServers(options)
  if (failure === undefined) return servers
  await servers.close()
  throw failure
}

/** The same, but with the `failure` of required servers as a value: the others continue. */
export async function tryServers(options: McpOptions) {
  checkSettings(options.servers)
  const { project } = options
  const expanded = Object.entries(options.servers).map(([name, settings]) => {
    const means = project?.names.has(name) ? { ...options, ...project } : options
    const expanded = expandVariables(name, settings, means.env)
    return { name, settings: withDefaultTimes(expanded, options.env), means }
  })
  const starts = await Promise.all(expanded.map(({ name, settings, means }) => start(name, settings, means)))
  const servers = new Map(starts.flatMap(({ name, server }) => (server ? [[name, server] as const] : [])))
  const optional = starts.filter(({ server, settings }) => server === undefined && settings.required === false)
  const arrived: LateServer[] = []
  const retries = retryServers(
    // One in the caller's process is not tried again: it may be half connected.
    optional.filter(({ settings }) => settings.type !== 'sdk'),
    options.now ?? (() => performance.now()),
    (name, server) => {
      servers.set(name, server)
      arrived.push({ name, tools: server.tools })
    },
  )
  const close = async (): Promise<void> => {
    await Promise.allSettled(starts.map(({ start }) => start.close()))
    await retries.settled()
  }
  for (const { name: server, error } of optional)
    options.onEvent({ type: 'system', subtype: 'mcp_unavailable', server, required: false, detail: messageOf(error) })
  const tools = [...servers.values()].flatMap((server) => server.tools)
  const connected: McpServers = {
    ...createResources(servers, options.blobs, options.signal),
    tools: tools.sort((a, b) => (a.name < b.name ? -1 : 1)),
    retry() {
      retries.begin()
      return arrived.splice(0)
    },
    down: retries.down,
    moved: async () => void (await Promise.all([...servers.values()].map(({ connection }) => connection.moved()))),
    states: () => starts.map((one) => stateOf(one, servers.get(one.name))),
    callTool: (name, tool, input, signal) => callTool(servers.get(name), { name, tool, input }, { ...options, signal }),
    lock: () => ({ version: 1, servers: Object.fromEntries([...servers].map(([name, { hashes }]) => [name, hashes])) }),
    close,
  }
  return { servers: connected, failure: failureOf(starts) }
}

async function callTool(
  server: StartedServer | undefined,
  { name, tool, input }: { readonly name: string; readonly tool: string; readonly input: ToolInput },
  { blobs, signal }: Pick<McpOptions, 'blobs' | 'signal'>,
): Promise<string> {
  if (server === undefined) throw new Error(`the MCP server ${name} does not run`)
  if (!server.tools.some(({ mcpInfo }) => mcpInfo?.tool === tool))
    throw new Error(`the MCP server ${name} offers no tool ${JSON.stringify(tool)}`)
  const result = await server.callTool(tool, input, { signal })
  const text = textsOf(mapContent(result, name, blobs)).join('\n')
  if (result.isError === true) throw new Error(text)
  return text
}

async function start(name: string, settings: McpServerSettings, options: McpOptions): Promise<Start> {
  const began = performance.now()
  const elapsed = () => Math.round(performance.now() - began)
  const start = startServer({ ...options, name, settings })
  try {
    return { name, settings, start, server: await start.begin(), startMs: elapsed() }
  } catch (failure) {
    const isInside = settings.sandbox === true && !(failure instanceof RunError)
    const error = isInside ? new Error(`${messageOf(failure)}${INSIDE}`, { cause: failure }) : failure
    return { name, settings, start, error, startMs: elapsed() }
  }
}

/** The error that ends the start-up: an invalid entry, otherwise all required servers that failed. */
function failureOf(starts: readonly Start[]): RunError | undefined {
  const failed = starts.filter(({ server }) => server === undefined)
  for (const { error } of failed) if (error instanceof RunError && error.reason === 'config') return error
  const required = failed.filter(({ settings }) => settings.required !== false)
  if (required.length === 0) return undefined
  const lines = required.map(({ name, error }) =>
    error instanceof RunError ? error.message : `MCP server ${name} did not start: ${messageOf(error)}`,
  )
  return new RunError('mcp_unavailable', lines.join('\n'), { cause: required[0]?.error })
}

function stateOf({ name, startMs, error }: Start, server: StartedServer | undefined): McpServerState {
  if (server === undefined) return { name, startMs, status: 'failed', detail: messageOf(error), tools: [] }
  const tools = server.tools.map((tool) => tool.name)
  const isGone = server.connection.isGone()
  return { name, startMs, status: isGone ? 'gone' : 'connected', detail: isGone ? 'it ended too often' : '', tools }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The entry with default times from the operator's environment: `MCP_TIMEOUT` for the start, `MCP_TOOL_TIMEOUT` for a
 * call, in milliseconds, as in Claude Code. Throws `RunError('config')` for an invalid number.
 */
export function withDefaultTimes(settings: McpServerSettings, environment: Environment): McpServerSettings {
  const startTimeout = settings.startTimeout ?? secondsIn('MCP_TIMEOUT', environment)
  const timeout = settings.timeout ?? secondsIn('MCP_TOOL_TIMEOUT', environment)
  return {
    ...settings,
    ...(startTimeout === undefined ? {} : { startTimeout }),
    ...(timeout === undefined ? {} : { timeout }),
  }
}

function secondsIn(name: string, environment: Environment): number | undefined {
  const text = environment[name]?.trim() ?? ''
  if (text === '') return undefined
  if (/^[1-9]\d*$/.test(text)) return Number(text) / 1000
  throw new RunError('config', `${name}: ${JSON.stringify(text)} is not a number of milliseconds.`)
}

import { messageOf } from '../contracts/errors.ts'
import type { Tool } from '../Tool.ts'
import { type Connection, createConnection } from './createConnection.ts'
import { createRoster } from './createRoster.ts'
import type { ConnectionOptions } from './openClient.ts'
import { makeTool, type ToolPort } from './tools/makeTool.ts'

/** A started server, with its tools at that time. */
export type StartedServer = {
  readonly connection: Connection
  readonly tools: readonly Tool[]
  /** Tool → hash, of all tools that the server listed. */
  readonly hashes: Readonly<Record<string, string>>
  readonly hasResources: boolean
  readonly callTool: ToolPort['callTool']
}

/** After this many changes of its tools, a server's notifications are ignored. */
const MAX_LOOKS = 20

export type ServerStart = {
  /** Starts it and lists its tools; again after a failure. Throws with the reason, and leaves no process behind. */
  begin(): Promise<StartedServer>
  /** Gives up a running start, and ends the server. Never rejects. */
  close(): Promise<void>
}

/** Prepares the start of a server. Programs of the checkout run only as they are now. */
export function startServer(options: Omit<ConnectionOptions, 'onOpen' | 'onToolsChanged'>): ServerStart {
  const { name, signal, onEvent } = options
  const roster = createRoster(options)
  let hasResources = false
  let looks: number | 'looking' = 'looking'

  const look = async (): Promise<void> => {
    if (looks === 'looking' || looks >= MAX_LOOKS) return
    const count = looks + 1
    looks = 'looking'
    await connection
      .request((client) => roster.read(client), { signal })
      .catch((error) => {
        const message = `MCP server ${name}: its changed tools could not be listed: ${messageOf(error)}`
        onEvent({ type: 'system', subtype: 'warning', code: 'mcp_tool', message })
      })
    looks = count
  }
  const connection = createConnection({
    ...options,
    onToolsChanged: () => void look(),
    onOpen: async (client) => {
      await roster.read(client)
      hasResources = client.getServerCapabilities()?.resources !== undefined
    },
  })
  const port = {
    server: name,
    isEnabled: (tool: string) => !connection.isGone() && !roster.isBlocked(tool),
    callTool: async (
      tool: string,
      input: Readonly<Record<string, unknown>>,
      limits: Parameters<Connection['request']>[1],
    ) => {
      if (roster.isBlocked(tool))
        throw new Error(`the tool ${tool} of the MCP server ${name} differs from what was pinned`)
      const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
      const params = { name: tool, arguments: input }
      return connection.request(
        (client, requestOptions) =>
          client.request({ method: 'tools/call', params }, CallToolResultSchema, requestOptions),
        limits,
      )
    },
  }
  return {
    async begin() {
      await connection.start()
      looks = 0
      return {
        connection,
        tools: roster.chosen().map((chosen) => makeTool(chosen, port)),
        hashes: roster.hashes(),
        hasResources,
        callTool: port.callTool,
      }
    },
    close: connection.close,
  }
}

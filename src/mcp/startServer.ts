import { messageOf } from '../contracts/errors.ts'
import { warning } from '../contracts/events.ts'
import { createConnection } from './createConnection.ts'
import { createRoster } from './createRoster.ts'
import type { ConnectionOptions } from './openClient.ts'
import { makeTool, type ToolPort } from './tools/makeTool.ts'

/** After this many changes of its tools, a server's notifications are ignored. */
const MAX_LOOKS = 20

export type ServerStart = ReturnType<typeof startServer>
export type StartedServer = Awaited<ReturnType<ServerStart['begin']>>

/** Prepares the start of a server. Programs of the checkout run only as they are now. */
export function startServer(options: Omit<ConnectionOptions, 'onOpen' | 'onToolsChanged'>) {
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
        const why = `its changed tools could not be listed: ${messageOf(error)}`
        onEvent(warning('mcp_tool', `MCP server ${name}: ${why}`))
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
  const port: ToolPort = {
    server: name,
    isEnabled: (tool) => !connection.isGone() && !roster.isBlocked(tool),
    async callTool(tool, input, limits) {
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
    /** Starts it and lists its tools; again after a failure. Throws with the reason, and leaves no process behind. */
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
    /** Gives up a running start, and ends the server. Never rejects. */
    close: connection.close,
  }
}

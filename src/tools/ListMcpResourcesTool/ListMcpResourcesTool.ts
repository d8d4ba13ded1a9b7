import * as z from 'zod'
import { buildTool, SEARCHES } from '../../Tool.ts'

/**
 * Lists what the MCP servers offer to be read. It uses a server, so rules for the whole server apply to it too; without
 * a server it needs no rule, and lists those that the rules allow.
 */
export const ListMcpResourcesTool = buildTool({
  name: 'ListMcpResources',
  searchHint: 'mcp resources list',
  inputSchema: () =>
    z.strictObject({ server: z.string().optional().describe('only the resources of this MCP server') }),
  outputSchema: () =>
    z.object({
      resources: z
        .array(
          z.object({
            server: z.string(),
            uri: z.string(),
            name: z.string(),
            mimeType: z.string().exactOptional(),
            description: z.string().exactOptional(),
          }),
        )
        .readonly(),
      /** Servers that no rule allows to list. */
      leftOut: z.array(z.string()).readonly(),
    }),
  isAvailable: ({ hasServers }) => hasServers,
  description: () => 'Lists the resources of the connected MCP servers: server, URI, name, media type, description.',
  ...SEARCHES,
  needsPermissions: ({ server }) => server !== undefined,
  subjects: ({ server }) =>
    server === undefined
      ? [{ kind: 'name', tool: 'ListMcpResources' }]
      : [{ kind: 'mcp', server, tool: 'resources/list' }],
  activity: ({ server }) => `Listing MCP resources${server === undefined ? '' : ` of ${server}`}`,
  async *call({ server }, context) {
    const { mcp, signal, mayListResources } = context
    const all = server === undefined ? mcp.serversWithResources() : [server]
    const listed = server === undefined ? all.filter(mayListResources) : all
    const lists = await Promise.all(listed.map((one) => mcp.listResources(one, signal)))
    const leftOut = all.filter((one) => !listed.includes(one))
    yield { type: 'result', data: { resources: lists.flat(), leftOut } }
  },
  mapResult: ({ resources, leftOut }) => {
    const lines = resources.length === 0 ? ['There are no resources.'] : resources.map((one) => JSON.stringify(one))
    if (leftOut.length > 0) lines.push(`Left out, because no rule allows to list them: ${leftOut.join(', ')}.`)
    return { content: lines.join('\n') }
  },
})

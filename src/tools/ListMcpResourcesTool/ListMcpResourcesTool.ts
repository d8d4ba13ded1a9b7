import * as z from 'zod'
import { buildTool, lazySchema, type McpResource } from '../../Tool.ts'

const inputSchema = lazySchema(() =>
  z.strictObject({ server: z.string().optional().describe('only the resources of this MCP server') }),
)

const outputSchema = lazySchema(() =>
  z
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
)

type ListMcpResourcesInput = z.infer<ReturnType<typeof inputSchema>>

/** Lists what the MCP servers offer to be read. */
export const ListMcpResourcesTool = buildTool<ListMcpResourcesInput, readonly McpResource[]>({
  name: 'ListMcpResources',
  aliases: ['ListMcpResourcesTool'],
  searchHint: 'mcp resources list',
  inputSchema,
  outputSchema,
  isAvailable: ({ hasServers }) => hasServers,
  description: () => 'Lists the resources of the connected MCP servers: server, URI, name, media type, description.',
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  isSearchOrReadCommand: true,
  activity: ({ server }) => `Listing MCP resources${server === undefined ? '' : ` of ${server}`}`,
  async *call({ server }, context) {
    yield { type: 'result', data: await context.mcp.listResources(server, context.signal) }
  },
  mapResult: (resources) => ({
    content:
      resources.length === 0 ? 'There are no resources.' : resources.map((one) => JSON.stringify(one)).join('\n'),
  }),
})

import * as z from 'zod'
import { contentBlocksSchema } from '../../contracts/events/contentSchemas.ts'
import { buildTool, SEARCHES } from '../../Tool.ts'

/** Reads one resource of an MCP server. It uses the server, so rules for the whole server apply to it too. */
export const ReadMcpResourceTool = buildTool({
  name: 'ReadMcpResource',
  searchHint: 'mcp resource read',
  // The mcp module has its own limit: the first part of a long text, and where the rest is.
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  inputSchema: () =>
    z.strictObject({
      server: z.string().min(1).describe('the MCP server, as ListMcpResources names it'),
      uri: z.string().min(1).describe('the URI of the resource'),
    }),
  outputSchema: () => contentBlocksSchema,
  isAvailable: ({ hasServers }) => hasServers,
  description: () => 'Reads a resource of an MCP server by its URI.',
  ...SEARCHES,
  subjects: ({ server }) => [{ kind: 'mcp', server, tool: 'resources/read' }],
  activity: ({ server, uri }) => `Reading ${uri} of ${server}`,
  async *call({ server, uri }, context) {
    yield { type: 'result', data: await context.mcp.readResource(server, uri, context.signal) }
  },
  mapResult: (content) => ({ content }),
})

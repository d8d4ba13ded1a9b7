import type { ToolResultContent } from '../../contracts/messages.ts'
import type { BlobStore, McpAccess, McpResource } from '../../Tool.ts'
import type { StartedServer } from '../startServer.ts'
import { listPages } from './listPages.ts'
import { mapContent } from './mapContent.ts'
import { serverText } from './serverText.ts'

/** Access to the resources of all servers. Errors have a message for the model. */
export function createResources(
  servers: ReadonlyMap<string, StartedServer>,
  blobs: BlobStore,
  runSignal: AbortSignal,
): McpAccess {
  const withResources = () => [...servers].flatMap(([name, { hasResources }]) => (hasResources ? [name] : []))
  const serverOf = (name: string): StartedServer => {
    const server = servers.get(name)
    if (server?.hasResources) return server
    const problem = server
      ? `the MCP server ${name} has no resources`
      : `there is no MCP server ${JSON.stringify(name)}`
    throw new Error(`${problem}; servers with resources: ${withResources().join(', ') || 'none'}`)
  }
  return {
    serversWithResources: withResources,
    listResources: async (name, signal = runSignal) => listOf(name, serverOf(name), signal),
    async readResource(name, uri, signal = runSignal): Promise<readonly ToolResultContent[]> {
      const { connection } = serverOf(name)
      const { contents } = await connection.request((client, options) => client.readResource({ uri }, options), {
        signal,
      })
      return mapContent({ content: contents.map((resource) => ({ type: 'resource', resource })) }, name, blobs)
    },
  }
}

async function listOf(
  server: string,
  { connection }: StartedServer,
  signal: AbortSignal,
): Promise<readonly McpResource[]> {
  const resources = await connection.request(
    (client, options) =>
      listPages(async (cursor) => {
        const page = await client.listResources(cursor === undefined ? {} : { cursor }, options)
        return { items: page.resources, next: page.nextCursor }
      }),
    { signal },
  )
  return resources.map(({ uri, name, mimeType, description }) => ({
    server,
    uri,
    name: serverText(name),
    ...(mimeType === undefined ? {} : { mimeType: serverText(mimeType) }),
    ...(description === undefined ? {} : { description: serverText(description) }),
  }))
}

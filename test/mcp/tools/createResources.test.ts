import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { expect, test } from 'vitest'
import type { McpServerSettings } from '../../../src/contracts/settings.ts'
import { connectTestServers } from '../../helpers/tools/testMcp.ts'

/** A server in this process: it has a tool that fails, and these resources. */
function serverOf(resources: readonly { readonly name: string; readonly mimeType?: string; description?: string }[]) {
  const server = new McpServer({ name: 'here', version: '1' })
  server.registerTool('fail', {}, () => ({ isError: true, content: [{ type: 'text', text: 'no luck' }] }))
  if (resources.length > 0)
    server.registerResource(
      'notes',
      new ResourceTemplate('notes://{name}', {
        list: () => ({ resources: resources.map((one) => ({ ...one, uri: `notes://${one.name}` })) }),
      }),
      {},
      (uri) => ({ contents: [{ uri: uri.href, text: `the text of ${uri.host}` }] }),
    )
  return { type: 'sdk', instance: server } as unknown as McpServerSettings
}

const SOME = [{ name: 'a', mimeType: 'text/plain', description: 'the\u200b first' }, { name: 'b' }]

test('resources are listed without hidden text, and read', async () => {
  const { servers } = await connectTestServers({ docs: serverOf(SOME), none: serverOf([]), more: serverOf(SOME) })
  expect(servers.serversWithResources()).toEqual(['docs', 'more'])
  expect(await servers.listResources('docs')).toEqual([
    { server: 'docs', uri: 'notes://a', name: 'a', mimeType: 'text/plain', description: 'the first' },
    { server: 'docs', uri: 'notes://b', name: 'b' },
  ])
  const text = '[resource notes://b]\nthe text of b'
  expect(await servers.readResource('docs', 'notes://b')).toEqual([{ type: 'text', text }])
  await expect(servers.readResource('docs', 'other://b')).rejects.toThrow('MCP server docs: ')
})

test('a server without resources, and one that is not there, are answered with those that have some', async () => {
  const { servers } = await connectTestServers({ docs: serverOf(SOME), none: serverOf([]) })
  await expect(servers.listResources('none')).rejects.toThrow(
    /^the MCP server none has no resources; servers with resources: docs$/,
  )
  await expect(servers.readResource('gone', 'x://y')).rejects.toThrow(
    /^there is no MCP server "gone"; servers with resources: docs$/,
  )
  const alone = await connectTestServers({ none: serverOf([]) })
  await expect(alone.servers.listResources('none')).rejects.toThrow(/servers with resources: none$/)
})

test('the end of a call ends its request, and an error of a tool is one of ours', async () => {
  const { servers, call } = await connectTestServers({ docs: serverOf(SOME) })
  await expect(servers.listResources('docs', AbortSignal.abort())).rejects.toThrow('was canceled')
  await expect(servers.readResource('docs', 'notes://a', AbortSignal.abort())).rejects.toThrow('was canceled')
  expect(await call('mcp__docs__fail')).toMatchObject({ isError: true, text: 'no luck' })
})

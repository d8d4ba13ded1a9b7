import { expect, test } from 'vitest'
import { ListMcpResourcesTool } from '../../src/tools/ListMcpResourcesTool/ListMcpResourcesTool.ts'
import { ReadMcpResourceTool } from '../../src/tools/ReadMcpResourceTool/ReadMcpResourceTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

test('resources are one JSON object per line, or a sentence if there are none', async () => {
  const mcp = {
    listResources: async (server?: string) =>
      server === 'empty' ? [] : ['a', 'b'].map((name) => ({ server: 'docs', uri: `x://${name}`, name })),
    readResource: async () => [],
  }
  const context = createToolContext({ mcp })
  expect((await runTool(ListMcpResourcesTool, {}, context)).text).toBe(
    '{"server":"docs","uri":"x://a","name":"a"}\n{"server":"docs","uri":"x://b","name":"b"}',
  )
  expect((await runTool(ListMcpResourcesTool, { server: 'empty' }, context)).text).toBe('There are no resources.')
})

test("the server's answer is the result, unchanged", async () => {
  const content = [{ type: 'text' as const, text: 'hello' }]
  const mcp = { listResources: async () => [], readResource: async () => content }
  const read = await runTool(ReadMcpResourceTool, { server: 'docs', uri: 'x://a' }, createToolContext({ mcp }))
  expect(read).toMatchObject({ isError: false, content })
})

test('an error of the server is an error of the call', async () => {
  const mcp = {
    listResources: async () => [],
    readResource: () => Promise.reject(new Error('there is no such server')),
  }
  const read = await runTool(ReadMcpResourceTool, { server: 'docs', uri: 'x://a' }, createToolContext({ mcp }))
  expect(read).toMatchObject({ isError: true, text: 'there is no such server' })
})

test('reading has the server as its subject, so that its rules apply; both names work', () => {
  const context = createToolContext()
  expect(ReadMcpResourceTool.subjects({ server: 'docs', uri: 'x://a' }, context)).toEqual([
    { kind: 'mcp', server: 'docs', tool: 'resources/read' },
  ])
  expect(ReadMcpResourceTool.aliases).toContain('ReadMcpResourceTool')
  expect(ListMcpResourcesTool.aliases).toContain('ListMcpResourcesTool')
})

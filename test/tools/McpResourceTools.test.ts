import { expect, test } from 'vitest'
import { toCall } from '../../src/permissions.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import type { Tool, ToolInput } from '../../src/Tool.ts'
import { ListMcpResourcesTool } from '../../src/tools/ListMcpResourcesTool/ListMcpResourcesTool.ts'
import { ReadMcpResourceTool } from '../../src/tools/ReadMcpResourceTool/ReadMcpResourceTool.ts'
import { policyOf } from '../helpers/policy/policyCalls.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

const mcpOf = (names: readonly string[]) => ({
  serversWithResources: () => names,
  listResources: async (server: string) =>
    server === 'empty' ? [] : ['a', 'b'].map((name) => ({ server, uri: `x://${name}`, name })),
  readResource: async () => [],
})

test('resources are one JSON object per line, or a sentence if there are none', async () => {
  const context = createToolContext({ mcp: mcpOf(['docs']), mayListResources: () => true })
  expect((await runTool(ListMcpResourcesTool, {}, context)).text).toBe(
    '{"server":"docs","uri":"x://a","name":"a"}\n{"server":"docs","uri":"x://b","name":"b"}',
  )
  expect((await runTool(ListMcpResourcesTool, { server: 'empty' }, context)).text).toBe('There are no resources.')
})

test('without a server, only those are listed that may be, and the others are named', async () => {
  const mayListResources = (server: string) => server === 'docs'
  const context = createToolContext({ mcp: mcpOf(['docs', 'hr', 'law']), mayListResources })
  const { data, text } = await runTool(ListMcpResourcesTool, {}, context)
  expect([data?.resources.map(({ server }) => server), data?.leftOut]).toEqual([
    ['docs', 'docs'],
    ['hr', 'law'],
  ])
  expect(text).toMatch(/\nLeft out, because no rule allows to list them: hr, law\.$/)
})

test.each([
  [{ allow: ['mcp__docs'] }, 'allow', 'allow'],
  [{ allow: ['ListMcpResources', 'ReadMcpResource'] }, 'allow', 'allow'],
  [{ allow: ['mcp__docs__*'], deny: ['mcp__docs'] }, 'deny', 'deny'],
  [{ allow: ['ListMcpResources', 'ReadMcpResource'], deny: ['mcp__docs'] }, 'deny', 'deny'],
  [{ allow: ['mcp__docs__resources/list'] }, 'allow', 'ask'],
  [{ allow: ['mcp__other', 'mcp__docs__get_*'] }, 'ask', 'ask'],
  [{ allow: ['mcp__docs'], deny: ['ListMcpResources(server:docs)'] }, 'deny', 'allow'],
])('%j: listing a server is %s, reading it is %s', async (permissions, list, read) => {
  const policy = await policyOf(permissions)
  const context = createToolContext()
  const decide = (tool: Tool, input: ToolInput) => evaluate(policy, toCall(tool, input, context)).behavior
  expect(decide(ListMcpResourcesTool, { server: 'docs' })).toBe(list)
  expect(decide(ReadMcpResourceTool, { server: 'docs', uri: 'x://a' })).toBe(read)
})

test.each([
  [{}, 'allow'],
  [{ deny: ['mcp__docs'] }, 'allow'],
  [{ deny: ['ListMcpResources'] }, 'deny'],
])('%j: listing all servers is %s, with no rule for it', async (permissions, behavior) => {
  const call = toCall(ListMcpResourcesTool, {}, createToolContext())
  expect(evaluate(await policyOf(permissions), call).behavior).toBe(behavior)
})

test("the server's answer is the result, unchanged", async () => {
  const content = [{ type: 'text' as const, text: 'hello' }]
  const mcp = { ...mcpOf([]), readResource: async () => content }
  const read = await runTool(ReadMcpResourceTool, { server: 'docs', uri: 'x://a' }, createToolContext({ mcp }))
  expect(read).toMatchObject({ isError: false, content })
})

test('an error of the server is an error of the call', async () => {
  const mcp = {
    ...mcpOf([]),
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
})

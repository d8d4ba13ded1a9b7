import { expect, test } from 'vitest'
import { toCall } from '../../src/permissions.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import type { Tool, ToolInput } from '../../src/Tool.ts'
import { ListMcpResourcesTool } from '../../src/tools/ListMcpResourcesTool/ListMcpResourcesTool.ts'
import { ReadMcpResourceTool } from '../../src/tools/ReadMcpResourceTool/ReadMcpResourceTool.ts'
import { policyOf } from '../helpers/policy/policyCalls.ts'
import { createToolContext } from '../helpers/tools/toolContext.ts'

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

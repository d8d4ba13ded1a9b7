import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { buildTool, type Tool } from '../../src/Tool.ts'
import { ToolSearchTool } from '../../src/tools/ToolSearchTool/ToolSearchTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

function tool(name: string, more: Partial<Tool>): Tool {
  return buildTool<Record<string, never>, string>({
    name,
    inputSchema: () => z.strictObject({}),
    description: () => `does ${name}`,
    async *call() {
      yield { type: 'result', data: '' }
    },
    mapResult: (content) => ({ content }),
    ...more,
  })
}

const POOL: readonly Tool[] = [
  tool('Read', {}),
  tool('NotebookEdit', { shouldDefer: true, searchHint: 'jupyter cells' }),
  tool('WebFetch', { shouldDefer: true, searchHint: 'read a web page', aliases: ['URLFetcher'] }),
  tool('mcp__issues__create_issue', { shouldDefer: true, description: () => 'Opens an issue on the web' }),
  tool('Always', { shouldDefer: true, alwaysLoad: true }),
]

async function search(query: string, more: Record<string, unknown> = {}, tools = POOL) {
  const loaded: string[] = []
  const context = createToolContext({
    tools,
    loadTools: (names) => {
      loaded.push(...names)
      return names
    },
  })
  const run = await runTool(ToolSearchTool, { query, ...more }, context)
  return { run, loaded }
}

describe('ToolSearch', () => {
  it('lists all deferred tools, loaded or not', async () => {
    const text = await ToolSearchTool.prompt({ tools: POOL, cwd: '/' })
    expect(text).toBe('Tools on demand: NotebookEdit, WebFetch, mcp__issues__create_issue')
  })
})

describe('many tools of servers', () => {
  const many = (server: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      tool(`mcp__${server}__get_${index}`, { shouldDefer: true, mcpInfo: { server, tool: `get_${index}` } }),
    )
  const crowd = [...POOL, ...many('big', 90), ...many('other', 2)]
  const promptOf = (tools: readonly Tool[]) => ToolSearchTool.prompt({ tools, cwd: '/' })

  it('are listed by server if their names would be too long', () => {
    expect(promptOf([...POOL, ...many('other', 2)])).toMatch(/: NotebookEdit, .*mcp__other__get_0, mcp__other__get_1$/)
    expect(promptOf(crowd)).toBe(
      'Tools on demand: NotebookEdit, WebFetch, mcp__issues__create_issue, mcp__big__* (90), mcp__other__* (2). Search the * by keywords.',
    )
  })

  it('are loaded by name, or by their server up to the limit; the others are named', async () => {
    expect((await search('select:mcp__big__get_7', {}, crowd)).loaded).toEqual(['mcp__big__get_7'])
    const { run, loaded } = await search('select:mcp__big__*,Nothing*,WebFetch', { max_results: 3 }, crowd)
    expect(loaded).toEqual(['WebFetch', 'mcp__big__get_0', 'mcp__big__get_1', 'mcp__big__get_2'])
    expect(run.text).toMatch(/they match too: mcp__big__get_3, .*, mcp__big__get_52\n… and 37 more; use other words\./)
    expect(run.text).toMatch(/There is no tool Nothing\*\.$/)
    expect((await search('big get', {}, crowd)).loaded).toHaveLength(5)
  })

  it('are shown with a shortened description', async () => {
    const long = tool('mcp__x__y', { shouldDefer: true, description: () => `first\n${'word '.repeat(400)}` })
    const { run } = await search('select:mcp__x__y', {}, [long])
    expect(run.text.length).toBeLessThan(300)
  })
})

import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { buildTool, type Tool } from '../../src/Tool.ts'
import { ToolSearchTool } from '../../src/tools/ToolSearchTool/ToolSearchTool.ts'
import { createToolContext, runTool } from '../helpers/toolContext.ts'

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

async function search(query: string, more: Record<string, unknown> = {}) {
  const loaded: string[] = []
  const context = createToolContext({
    tools: POOL,
    loadTools: (names) => {
      loaded.push(...names)
      return names
    },
  })
  const run = await runTool(ToolSearchTool, { query, ...more }, context)
  return { run, loaded }
}

describe('ToolSearch', () => {
  it('names what can be loaded, whatever is loaded by now', async () => {
    const text = await ToolSearchTool.prompt({ tools: POOL, cwd: '/' })
    expect(text).toBe('Tools to load: NotebookEdit, WebFetch, mcp__issues__create_issue')
  })

  it.each([
    ['select:WebFetch', ['WebFetch']],
    ['select: webfetch , NotebookEdit', ['WebFetch', 'NotebookEdit']],
    ['select:URLFetcher', ['WebFetch']],
    ['jupyter', ['NotebookEdit']],
    ['web page', ['WebFetch', 'mcp__issues__create_issue']],
    ['+issue web', ['mcp__issues__create_issue']],
    ['(?:', []],
  ])('loads for %s', async (query, names) => {
    expect((await search(query)).loaded).toEqual(names)
  })

  it('says what it does not know, and loads nothing that is there', async () => {
    const { run, loaded } = await search('select:Read,Nope')
    expect(run.text).toBe('Loaded:\n- Read: does Read\nThere is no tool Nope.')
    expect(loaded).toEqual([])
    expect((await search('qqq')).run.text).toContain('No tool matches')
  })

  it('keeps to the number of results', async () => {
    expect((await search('web', { max_results: 1 })).loaded).toHaveLength(1)
  })
})

import type { Tool } from '../Tool.ts'

/** What the tools of all servers together may take of the first request, in characters of their specs. */
const ROOM = 4000

/**
 * The same tools, those of MCP servers on demand where they are many: a large server would fill every request with
 * schemas of which a task needs a few. What is few enough is offered at once, as is a tool with `alwaysLoad`.
 */
export function deferManyTools(tools: readonly Tool[]): readonly Tool[] {
  const size = tools.reduce((sum, tool) => sum + (isOfServer(tool) ? sizeOf(tool, tools) : 0), 0)
  return size <= ROOM ? tools : tools.map((tool) => (isOfServer(tool) ? { ...tool, shouldDefer: true } : tool))
}

function isOfServer(tool: Tool): boolean {
  return tool.mcpInfo !== undefined && !tool.alwaysLoad
}

function sizeOf(tool: Tool, tools: readonly Tool[]): number {
  const description = tool.description({ tools, cwd: '' })
  const text = typeof description === 'string' ? description : ''
  return JSON.stringify([tool.name, text, tool.inputJSONSchema]).length
}

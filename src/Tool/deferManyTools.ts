import type { Tool } from '../Tool.ts'

/** How many characters the specs of all server tools may take in the first request. */
const ROOM = 4000

/**
 * Defers the tools of MCP servers if there are many: a large server would fill every request with schemas, of which a
 * task needs only a few. Tools with `alwaysLoad` are never deferred.
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

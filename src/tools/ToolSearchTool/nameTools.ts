import type { Tool } from '../../Tool.ts'

/** The most characters for names of server tools. */
const ROOM = 1000

/** The names of tools in one line, in the order of the tools. A server with too many is shown as `mcp__server__*`. */
export function nameTools(tools: readonly Tool[]): string {
  const names = (listed: readonly Tool[]) => listed.map((tool) => tool.name)
  const own = tools.filter((tool) => tool.mcpInfo === undefined)
  const served = names(tools.filter((tool) => tool.mcpInfo !== undefined))
  if (served.join(', ').length <= ROOM) return [...names(own), ...served].join(', ')
  const counts = new Map<string, number>()
  for (const name of served) counts.set(serverPrefix(name), (counts.get(serverPrefix(name)) ?? 0) + 1)
  const servers = [...counts].map(([prefix, count]) => `${prefix}* (${count})`)
  return `${[...names(own), ...servers].join(', ')}. Search the * by keywords.`
}

/** `mcp__server__` from `mcp__server__tool`. */
function serverPrefix(name: string): string {
  return name.slice(0, name.indexOf('__', 'mcp__'.length) + 2)
}

import { type RunEvent, warning } from '../../contracts/events.ts'
import type { Tool } from '../../Tool.ts'
import type { LoopMemory, Session } from '../Session.ts'
import { isOffered } from '../start/isOffered.ts'

const ROOM = 1000
const LATE = 'mcp_server_late'

/**
 * Tries servers again that were down at the start, and takes in the tools of those that have come up. They are loaded on
 * demand, so the first tools stay as they are. Returns what to tell the agent; undefined if there is nothing new.
 */
export function welcomeServers(session: Session, memory: LoopMemory): string | undefined {
  const { servers, limits, late, pending } = session
  const { turns } = limits.totals()
  if (servers === undefined || turns === 0) return undefined
  const lines = servers.retry().flatMap(({ name, tools }) => {
    const { pool, deniedTools } = late.filter(tools)
    late.tools.push(...pool)
    late.denied.push(...deniedTools)
    // Of a run that is resumed: loaded again, so that no tool comes before those that are loaded now.
    for (const tool of pool) memory.loadedTools.delete(tool.name)
    pending.push(warning(LATE, `MCP server ${name} was down at the start and came up before turn ${turns + 1}.`))
    const offered = pool.filter((tool) => isOffered(session, tool))
    return offered.length === 0 ? [] : [`The MCP server ${name} was down at the start and is up now. ${named(offered)}`]
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}

function named(tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name).join(', ')
  const shown = names.length <= ROOM ? names : `${names.slice(0, names.lastIndexOf(',', ROOM))} and more`
  return `ToolSearch loads its tools: ${shown}.`
}

/** Servers that were tried again in vain. */
export function* absentServers({ servers }: Session): Generator<RunEvent> {
  for (const { name, tries, detail } of servers?.down() ?? []) {
    if (tries > 0) yield warning(LATE, `MCP server ${name} never came up (further tries: ${tries}): ${detail}`)
  }
}

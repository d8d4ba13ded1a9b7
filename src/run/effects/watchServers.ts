import type { Effects } from '../../effects/openEffects.ts'
import type { McpServers } from '../../mcp/McpServers.ts'

const WRITES = { access: 'direct', mayChangeGit: false, by: 'an MCP server' } as const

/**
 * Starts servers and watches the checkout until they are closed. Their changes are judged like those of commands, and
 * undone if no rule covers them.
 */
export async function watchServers(
  effects: Pick<Effects, 'watch'>,
  start: () => Promise<McpServers | undefined>,
): Promise<McpServers | undefined> {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  await new Promise<void>((begun, failed) => {
    const launch = () => {
      begun()
      return ended
    }
    effects.watch(WRITES.by, WRITES, launch).catch(failed)
  })
  try {
    const servers = await start()
    if (servers === undefined) end()
    return servers && { ...servers, close: () => servers.close().finally(end) }
  } catch (error) {
    end()
    throw error
  }
}

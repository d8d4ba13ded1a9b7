import { messageOf } from '../contracts/errors.ts'
import type { DownServer } from './McpServers.ts'
import { shownName } from './settings/checkSettings.ts'
import type { ServerStart, StartedServer } from './startServer.ts'

/** After its first further try, a server is left alone for this time, and twice as long after each other. */
const FIRST_GAP_MS = 5_000
const LONGEST_GAP_MS = 300_000
const MAX_TRIES = 12

type Down = {
  readonly start: ServerStart
  tries: number
  nextAt: number
  detail: string
  trying?: Promise<void> | undefined
}

/** Tries to start servers again whose first start failed. `onUp` gets each that has come up; `now` is in milliseconds. */
export function retryServers(
  starts: readonly { readonly name: string; readonly start: ServerStart; readonly error?: unknown }[],
  now: () => number,
  onUp: (name: string, server: StartedServer) => void,
) {
  const all = new Map<string, Down>(
    starts.map(({ name, start, error }) => [name, { start, tries: 0, nextAt: 0, detail: messageOf(error) }]),
  )
  const tryAgain = async (name: string, server: Down): Promise<void> => {
    server.nextAt = now() + Math.min(FIRST_GAP_MS * 2 ** server.tries, LONGEST_GAP_MS)
    server.tries += 1
    try {
      const started = await server.start.begin()
      all.delete(name)
      onUp(name, started)
    } catch (error) {
      server.detail = messageOf(error)
    }
    server.trying = undefined
  }
  return {
    /** Begins the tries whose time has come. Waits for nothing, and starts no timer of its own. */
    begin() {
      for (const [name, server] of all) {
        if (server.trying === undefined && server.tries < MAX_TRIES && now() >= server.nextAt)
          server.trying = tryAgain(name, server)
      }
    },
    down: (): readonly DownServer[] =>
      [...all].map(([name, { tries, detail }]) => ({ name, prefix: `mcp__${shownName(name)}__`, tries, detail })),
    /** Resolves when no try is running. */
    settled: () => Promise.all([...all.values()].map(({ trying }) => trying)),
  }
}

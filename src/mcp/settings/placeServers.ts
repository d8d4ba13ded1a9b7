import { mkdirSync } from 'node:fs'
import type { McpServerSettings } from '../../contracts/settings.ts'
import type { Sandbox } from '../../sandbox/openSandbox.ts'
import type { ServerProcess } from '../McpServers.ts'
import { isInCheckout, type ServerPlace, startsInside } from './startsInside.ts'

export type Placing = ServerPlace & {
  readonly isWalled: boolean
  /** A folder with nothing in it. */
  readonly empty: string
  readonly warn: (message: string) => void
}

/**
 * A server from the checkout runs in the sandbox, or behind Landlock, if there is either. Any other runs outside, and then not in the
 * checkout, because programs read settings from their start folder.
 */
export function placeServers(
  servers: Readonly<Record<string, McpServerSettings>>,
  { isWalled, empty, warn, ...place }: Placing,
): Readonly<Record<string, McpServerSettings>> {
  const placed = Object.entries(servers).map(([name, server]): [string, McpServerSettings] => {
    if (server.command === undefined || server.sandbox === true) return [name, server]
    if (startsInside(name, server, place)) {
      if (isWalled) return [name, { ...server, sandbox: true }]
      warn(`${name} runs something in the checkout, and there is no sandbox to start it in`)
      return [name, server]
    }
    if (server.cwd !== undefined || !isInCheckout(place.cwd, place)) return [name, server]
    mkdirSync(empty, { recursive: true })
    return [name, { ...server, cwd: empty }]
  })
  return Object.fromEntries(placed)
}

/** Puts a server behind the wall that commands have; undefined if there is none. */
export function serverWall({ wrap, landlock, environment }: Pick<Sandbox, 'wrap' | 'landlock' | 'environment'>) {
  const put = wrap ?? landlock?.wrap
  const own = { ...environment, ...landlock?.environment }
  return (
    put &&
    ((server: ServerProcess): ServerProcess => ({
      ...{ ...server, ...put(server, server.cwd) },
      env: { ...server.env, ...own },
    }))
  )
}

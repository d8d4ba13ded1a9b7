import { mkdirSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { McpServerSettings } from '../../contracts/settings.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { type CheckoutPlace, mentionsCheckout } from '../../lib/places/mentionsCheckout.ts'
import { findProgram } from '../../sandbox/environment/childPath.ts'
import type { Sandbox } from '../../sandbox/openSandbox.ts'
import type { ServerProcess } from '../McpServers.ts'
import { expandVariables } from './expandVariables.ts'

export type ServerPlace = CheckoutPlace & {
  /** Where programs without a path are found. */
  readonly path: string
  /** What `${VAR}` in an entry may name. */
  readonly env: Readonly<Record<string, string | undefined>>
}

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

/** True if the program, an argument, a variable or the folder of a stdio server could come from the checkout. */
export function startsInside(name: string, settings: McpServerSettings, place: ServerPlace): boolean {
  if (settings.command === undefined) return false
  const { command = '', args = [], env = {}, cwd } = expandVariables(name, settings, place.env)
  const program = isAbsolute(command) || command.includes('/') ? command : (findProgram(command, place.path) ?? command)
  if (cwd !== undefined && isInCheckout(resolve(place.cwd, cwd), place)) return true
  return [program, ...args, ...Object.values(env)].some((word) => mentionsCheckout(word, place))
}

/** True for a folder that commands may have changed. */
function isInCheckout(folder: string, { roots }: Pick<CheckoutPlace, 'roots'>): boolean {
  return roots.some((root) => isWithin(folder, root))
}

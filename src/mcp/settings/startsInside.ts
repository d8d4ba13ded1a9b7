import { isAbsolute, resolve } from 'node:path'
import type { McpServerSettings } from '../../contracts/settings.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { type CheckoutPlace, mentionsCheckout } from '../../lib/places/mentionsCheckout.ts'
import { findProgram } from '../../sandbox/environment/childPath.ts'
import { expandVariables } from './expandVariables.ts'

export type ServerPlace = CheckoutPlace & {
  /** Where programs without a path are found. */
  readonly path: string
  /** What `${VAR}` in an entry may name. */
  readonly env: Readonly<Record<string, string | undefined>>
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
export function isInCheckout(folder: string, { roots }: Pick<CheckoutPlace, 'roots'>): boolean {
  return roots.some((root) => isWithin(folder, root))
}

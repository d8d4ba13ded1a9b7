import { isAbsolute, resolve } from 'node:path'
import type { McpServerSettings } from '../contracts/settings.ts'
import { isWithin } from '../lib/isWithin.ts'
import { type CheckoutPlace, namesCheckout } from '../lib/namesCheckout.ts'
import { findProgram } from '../sandbox/childPath.ts'
import { expandVariables } from './expandVariables.ts'

export type ServerPlace = CheckoutPlace & {
  /** On which programs without a path are found. */
  readonly path: string
  /** What `${VAR}` in an entry may name. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * True where something of a stdio server comes from the checkout, or could: its program, a word of its arguments, a value
 * of its environment, or the folder that its entry names.
 */
export function startsInside(name: string, settings: McpServerSettings, place: ServerPlace): boolean {
  if (settings.command === undefined) return false
  const { command = '', args = [], env = {}, cwd } = expandVariables(name, settings, place.env)
  const program = isAbsolute(command) || command.includes('/') ? command : (findProgram(command, place.path) ?? command)
  if (cwd !== undefined && isInCheckout(resolve(place.cwd, cwd), place)) return true
  return [program, ...args, ...Object.values(env)].some((word) => namesCheckout(word, place))
}

/** True for a folder that commands may have changed. */
export function isInCheckout(folder: string, { roots }: Pick<CheckoutPlace, 'roots'>): boolean {
  return roots.some((root) => isWithin(folder, root))
}

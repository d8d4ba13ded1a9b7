import { isAbsolute } from 'node:path'
import type { HookSettings } from '../contracts/settings.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { mentionsCheckout } from '../lib/places/mentionsCheckout.ts'
import { shellWords } from './commandWords.ts'

/** Where the hooks of a policy start, and what commands of the run may have changed. */
export type HookPlace = {
  /** Where hooks start: the project root, or the snapshot that replaces it. */
  readonly cwd: string
  /** The project root and the other folders that commands may write; absolute, resolved. */
  readonly checkout: readonly string[]
}

const CHECKOUT_VARIABLES = /CLAUDE_PROJECT_DIR|\bPWD\b|GITHUB_WORKSPACE/

/**
 * True if a command hook contains nothing from the checkout. Each of its programs is an absolute path elsewhere, or any
 * other program if hooks do not start in the checkout. And no word names, or could name, anything in the checkout.
 */
export function startsOutside(hook: HookSettings, { cwd, checkout }: HookPlace): boolean {
  if (hook.type !== 'command') return true
  const words = [hook.command, ...(hook.args ?? [])]
  const place = { roots: checkout, cwd }
  const isInCheckout = checkout.some((root) => isWithin(cwd, root))
  if (isInCheckout && words.some((word) => CHECKOUT_VARIABLES.test(word))) return false
  const commands = hook.args === undefined ? shellWords(hook.command) : [words]
  if (commands === undefined) return !isInCheckout && !mentionsCheckout(hook.command, place)
  return commands.every(([program = '', ...operands]) => {
    const isOurs = !isInCheckout || isAbsolute(program) || BUILTINS.has(program)
    return isOurs && ![program, ...operands].some((word) => mentionsCheckout(word, place))
  })
}

const BUILTINS = new Set(['echo', 'printf', 'true', 'false', 'exit', ':'])

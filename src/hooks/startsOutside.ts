import { isAbsolute } from 'node:path'
import type { HookSettings } from '../contracts/settings.ts'
import { isWithin } from '../lib/isWithin.ts'
import { namesCheckout } from '../lib/namesCheckout.ts'
import { shellWords } from './shellWords.ts'

/** Where the hooks of a policy start, and what a run's commands may have changed. */
export type HookPlace = {
  /** Where hooks start: the project root, or the snapshot that stands in for it. */
  readonly cwd: string
  /** The project root and what else commands may write; absolute, resolved. */
  readonly checkout: readonly string[]
}

const CHECKOUT_VARIABLES = /CLAUDE_PROJECT_DIR|\bPWD\b|GITHUB_WORKSPACE/

/**
 * True where nothing of a command hook comes from the checkout: each of its programs is an absolute path elsewhere (or any
 * other program, where hooks do not start in the checkout), and no word names anything in the checkout, or could.
 */
export function startsOutside(hook: HookSettings, { cwd, checkout }: HookPlace): boolean {
  if (hook.type !== 'command') return true
  const words = [hook.command, ...(hook.args ?? [])]
  const place = { roots: checkout, cwd }
  const isInCheckout = checkout.some((root) => isWithin(cwd, root))
  if (isInCheckout && words.some((word) => CHECKOUT_VARIABLES.test(word))) return false
  const commands = hook.args === undefined ? shellWords(hook.command) : [words]
  if (commands === undefined) return !isInCheckout && !words.some((word) => namesCheckout(word, place))
  return commands.every(([program = '', ...operands]) => {
    const isOurs = !isInCheckout || isAbsolute(program) || BUILTINS.has(program)
    return isOurs && ![program, ...operands].some((word) => namesCheckout(word, place))
  })
}

/** What bash does by itself, and nothing of the checkout can change. */
const BUILTINS = new Set(['echo', 'printf', 'true', 'false', 'exit', ':'])

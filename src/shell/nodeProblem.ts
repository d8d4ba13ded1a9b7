import type { Word } from '../contracts/subject.ts'

/** Options beside `--check`, which only reads a script, that do more than show something. */
const HARMLESS =
  /^(?:--check|-c|--version|-v|--help|-h|--input-type=\w+|--experimental-[\w-]+|--no-(?:warnings|deprecation|experimental-[\w-]+)|--)$/
/** They run nothing. */
const SHOWING = /^(?:--check|-c|--version|-v|--help|-h)$/

/** What a rule such as `node --check *` does not mean: code that is loaded before, files that are written, `--no-check`. */
export function nodeProblem(argv: readonly Word[]): string | undefined {
  const words = argv.slice(1).map(startOf)
  const end = words.findIndex((word) => !word.startsWith('-'))
  const options = end < 0 ? words : words.slice(0, end)
  const shown = options.find((word) => SHOWING.test(word))
  if (shown === undefined) return undefined
  const found = options.find((word) => !HARMLESS.test(word) || /^--experimental-.*(?:loader|config)/.test(word))
  return found === undefined ? undefined : `node ${shown} with ${found}`
}

/** What a word starts with; one that may be an option counts as one. */
function startOf(word: Word): string {
  if (word.kind === 'literal') return word.value
  const start = word.kind === 'glob' ? word.value : (word.prefix ?? '')
  return /^[\w./]/.test(start) ? start : '-'
}

import type { Word } from '../contracts/subject.ts'

/** Options beside `--check`, which only reads a script, that do more than show something. */
const HARMLESS = /^(?:--check|-c|--input-type=\w+|--experimental-[\w-]+|--no-[\w-]+|--)$/

/** What a rule such as `node --check *` does not mean: code that is loaded before, and files that are written. */
export function nodeProblem(argv: readonly Word[]): string | undefined {
  const words = argv.slice(1).map(startOf)
  const end = words.findIndex((word) => !word.startsWith('-'))
  const options = end < 0 ? words : words.slice(0, end)
  if (!options.some((word) => word === '--check' || word === '-c')) return undefined
  const found = options.find((word) => !HARMLESS.test(word) || /^--experimental-.*(?:loader|config)/.test(word))
  return found === undefined ? undefined : `node --check with ${found}`
}

/** What a word starts with; one that may be an option counts as one. */
function startOf(word: Word): string {
  if (word.kind === 'literal') return word.value
  const start = word.kind === 'glob' ? word.value : (word.prefix ?? '')
  return /^[\w./]/.test(start) ? start : '-'
}

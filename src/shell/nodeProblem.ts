import type { Word } from '../contracts/subject.ts'
import { unlisted } from './isHarmlessOption.ts'

/** Options beside `--check`, which only reads a script, that do more than show something. */
const HARMLESS =
  /^(?:--check|-c|--version|-v|--help|-h|--input-type=\w+|--experimental-[\w-]+|--no-(?:warnings|deprecation|experimental-[\w-]+)|--)$/
/** They run nothing. */
const SHOWING = /^(?:--check|-c|--version|-v|--help|-h)$/

/** Options of the test runner that only choose tests and how they are told; `-` is a word that may be an option. */
const TESTING =
  /^--(?:test(?:-(?:name-pattern|skip-pattern|only|concurrency|timeout|shard|force-exit|update-snapshots|coverage-(?:branches|functions|lines|include|exclude)|reporter(?:-destination)?))?|experimental-test-(?:coverage|isolation|snapshots)|watch|enable-source-maps|no-warnings|trace-(?:warnings|uncaught))(?:=|$)/
/** What reports: a reporter of node's own, and to where it always goes. */
const REPORTING =
  /^--test-reporter(?:=|\n)(?!(?:spec|tap|dot|junit|lcov)$)|^--test-reporter-destination(?:=|\n)(?!std(?:out|err)$)/

/** What a rule such as `node --check *` does not mean: code that is loaded before, files that are written, `--no-check`. */
export function nodeProblem(argv: readonly Word[]): string | undefined {
  const words = argv.slice(1).map(startOf)
  // Its debugger runs what it is given, and what its input says, whatever stands before it.
  const first = words.find((word) => !word.startsWith('-'))
  if (first === 'inspect' || first === 'debug') return `node ${first} runs a script and what its input says`
  if (words.includes('--test')) return testProblem(words)
  const end = words.findIndex((word) => !word.startsWith('-'))
  const options = end < 0 ? words : words.slice(0, end)
  const shown = options.find((word) => SHOWING.test(word))
  if (shown === undefined) return undefined
  const found = options.find((word) => !HARMLESS.test(word) || /^--experimental-.*(?:loader|config)/.test(word))
  return found === undefined ? undefined : `node ${shown} with ${found}`
}

function testProblem(words: readonly string[]): string | undefined {
  const found = words.find(
    (word, index) =>
      (word.startsWith('-') && !TESTING.test(word)) ||
      REPORTING.test(word) ||
      REPORTING.test(`${words[index - 1]}\n${word}`.replace(/^[^\n]*=[\s\S]*$/, '')),
  )
  return found === undefined ? undefined : unlisted('node', found)
}

/** What a word starts with; one that may be an option counts as one. */
function startOf(word: Word): string {
  if (word.kind === 'literal') return word.value
  const start = word.kind === 'glob' ? word.value : (word.prefix ?? '')
  return /^[\w./]/.test(start) ? start : '-'
}

import type { Subject } from '../../contracts/subject.ts'
import type { ExitMeaning } from '../../lib/process/commandOutput.ts'

/** Programs whose exit code 1 is an answer. Sources: the EXIT STATUS sections of their manuals. */
const ANSWERS: Readonly<Record<string, string>> = {
  grep: 'no match',
  egrep: 'no match',
  fgrep: 'no match',
  rg: 'no match',
  diff: 'they differ',
  cmp: 'they differ',
  test: 'the condition is false',
  '[': 'the condition is false',
  find: 'some places could not be read',
  pgrep: 'no process matches',
}

/** Exit codes of bash, from its manual (EXIT STATUS) and Linux signal numbers. */
const SHELL_CODES: Readonly<Record<number, string>> = {
  124: 'the `timeout` command ended it',
  126: 'found, but it cannot be executed',
  127: 'command not found',
  130: 'ended by SIGINT',
  134: 'aborted',
  137: 'killed, perhaps because memory ran out',
  139: 'crashed with a segmentation fault',
  141: 'its output pipe was closed (SIGPIPE)',
  143: 'ended by SIGTERM',
}

/** The meaning of a line's exit code, by its last command; undefined for plain success or failure. */
export function exitMeaning(exitCode: number | null, subjects: readonly Subject[]): ExitMeaning | undefined {
  if (exitCode === null || exitCode === 0) return undefined
  const answer = exitCode === 1 ? answerOf(lastWords(subjects)) : undefined
  if (answer !== undefined) return { text: answer, isError: false }
  const text = SHELL_CODES[exitCode]
  return text === undefined ? undefined : { text, isError: true }
}

function lastWords(subjects: readonly Subject[]): readonly string[] {
  const command = subjects.findLast((subject) => subject.kind === 'command')
  const words = command?.chain.at(-1)?.argv ?? []
  return words.map((word) => (word.kind === 'literal' ? word.value : ''))
}

function answerOf(words: readonly string[]): string | undefined {
  const [program = '', ...rest] = words
  const isGitComparison =
    program === 'git' && rest.includes('diff') && rest.some((word) => COMPARE_FLAGS.includes(word))
  return isGitComparison ? 'they differ' : Object.hasOwn(ANSWERS, program) ? ANSWERS[program] : undefined
}

const COMPARE_FLAGS: readonly string[] = ['--quiet', '--exit-code']

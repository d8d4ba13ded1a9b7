import type { Word } from '../contracts/subject.ts'
import { hasShortOption } from './optionSpelling.ts'

/** Blanks and comments, which may stand before everything. */
const NOTHING = /^(?:\s|#[^\n]*(?:\n|$))*/
/** A program loads others, or data, by name at its start only. */
const LOADING = /^(?:module|import|include)\b/
/** What a program starts with that is no beginning of these words. */
const STARTED = /^(?:[^a-z]|[a-z]\w*\W)/

/** What may stand for `-f`, wildcards in it or not. */
const OPTION = /^[-*?[][^./]*$/

/** A jq program that loads others, or data, by name; one in a file may. */
export function jqProblem(given: readonly Word[]): string | undefined {
  const argv = withoutArguments(given)
  const isFromFile = argv.some(
    (word) =>
      word.kind === 'literal' && (hasShortOption(word.value, 'fL', '') || /^--(?:from-f|library)/.test(word.value)),
  )
  if (isFromFile) return 'jq with a program from a file, which may load other files'
  if (argv.slice(1).some(isLoading)) return 'jq with a program that loads other files'
  return argv.some((_, index) => isUnsure(argv, index))
    ? 'jq with a word known only when it runs may load other files; put `--` before files'
    : undefined
}

/** A word that may be a program that loads, or an option that takes one from a file. */
function isUnsure(argv: readonly Word[], index: number): boolean {
  const word = argv[index]
  if (word === undefined || word.kind === 'literal') return false
  if (word.found?.isTorn || word.found?.isUnclear) return true
  const known = word.kind === 'glob' ? [word.value] : (word.patterns ?? word.found?.starts)
  if (known) return known.some((text) => OPTION.test(text) || LOADING.test(text))
  return word.kind === 'dynamic' && !isStarted(word.prefix ?? '') && !isFile(argv, index)
}

/** True behind `--`, where the program stands before that. */
function isFile(argv: readonly Word[], index: number): boolean {
  const end = argv.findIndex((word) => word.kind === 'literal' && word.value === '--')
  return (
    end > 0 && end < index && argv.slice(1, end).some((word) => word.kind === 'literal' && !/^-|^\d+$/.test(word.value))
  )
}

/** The words without the values that `--arg` and `--argjson` hand to the program. */
export function withoutArguments(argv: readonly Word[]): readonly Word[] {
  const isTaken = (index: number): boolean => {
    const word = argv[index]
    return word?.kind === 'literal' && (word.value === '--arg' || word.value === '--argjson')
  }
  const kept: Word[] = []
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index]
    if (isTaken(index)) index += 2
    else if (word) kept.push(word)
  }
  return kept
}

function isLoading(word: Word): boolean {
  if (word.kind !== 'literal') return false
  return LOADING.test(word.value.replace(NOTHING, '')) || /\bmodulemeta\b/.test(word.value)
}

function isStarted(prefix: string): boolean {
  const start = prefix.replace(NOTHING, '')
  return STARTED.test(start) && !LOADING.test(start)
}

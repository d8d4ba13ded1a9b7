import type { Word } from '../contracts/subject.ts'

/** A command's words by what they look like. The value of an option in a word of its own counts as an operand too. */
export type SortedWords = {
  readonly operands: readonly Word[]
  /** Literal words that start with a dash, before `--`. */
  readonly options: readonly string[]
  /** What stands behind an option in the same word and may be a path. */
  readonly values: readonly string[]
  /** The same of options whose value is known only when it runs. */
  readonly glued: readonly Word[]
  /** The words that follow each option, by its place in `options`. */
  readonly next: readonly (Word | undefined)[]
}

export function sortWords(argv: readonly Word[]): SortedWords {
  const operands: Word[] = []
  const options: string[] = []
  const next: (Word | undefined)[] = []
  let isOnlyOperands = false
  const [first] = argv
  const texts = (first?.kind === 'literal' && TEXTS[first.value]) || ''
  for (const [index, word] of argv.entries()) {
    if (index === 0 || (!isOnlyOperands && isText(texts, argv[index - 1], word))) continue
    const value = word.kind === 'literal' || isFilter(word) ? word.value : ''
    if (isOnlyOperands || !value.startsWith('-') || value === '-') operands.push(word)
    else if (value === '--') isOnlyOperands = true
    else {
      options.push(value)
      next.push(argv[index + 1])
    }
  }
  const glued = operands.flatMap(gluedValue)
  return { operands, options, next, glued, values: [...options.flatMap(valuesOf), ...options.filter(isWay)] }
}

/** `--include=*.ts` as it is mostly written: no file is called so, or else it is one of that name. */
export function isFilter(word: Word): word is Extract<Word, { kind: 'glob' }> {
  return word.kind === 'glob' && /^--(?:(?:in|ex)clude(?:-dir)?|i?glob)=/.test(word.value)
}

/** `-d/../secret` is a file to commands whose options end at the first operand. */
function isWay(option: string): boolean {
  return /\/\.\.(?:\/|$)/.test(option)
}

/** Short options whose value is a number or a character, never a file. */
const TEXTS: Readonly<Record<string, string>> = {
  head: 'nc',
  tail: 'nc',
  cut: 'dfcb',
  sort: 'tk',
  grep: 'mABCe',
  fold: 'w',
  nl: 'ws',
  column: 'st',
  paste: 'd',
  awk: 'vF',
  split: 'lbn',
  xargs: 'nPI',
}

/** True for such a value that is known only when it runs, in its option's word or in the next. */
function isText(letters: string, before: Word | undefined, word: Word): boolean {
  if (word.kind !== 'dynamic') return false
  const isNext = before?.kind === 'literal' && /^-[a-zA-Z]$/.test(before.value)
  const option = isNext ? before.value : (word.prefix ?? '')
  return /^-[a-zA-Z]/.test(option) && letters.includes(option.charAt(1))
}

/** What is known of `$x` in `--file=$x` and `-f$x`. */
function gluedValue(word: Word): readonly Word[] {
  if (word.kind !== 'dynamic' || !word.prefix?.startsWith('-') || FILTERS.test(word.prefix)) return []
  if (word.patterns) {
    const patterns = word.patterns.flatMap(valuesOf)
    return patterns.length === 0 ? [] : [{ kind: 'dynamic', patterns }]
  }
  const { prefix, suffix } = word
  const start = /^--[^=]*=([\s\S]*)$/.exec(prefix)?.[1] ?? ''
  return [{ kind: 'dynamic', prefix: start, ...(suffix === undefined ? {} : { suffix }) }]
}

/** Letters of a bundle that may stand before a value. */
const MOST_LETTERS = 12

/** Their values are names to look for or to leave out, not files to open. */
const FILTERS =
  /^--(?:include|exclude|exclude-dir|ignore|hide|glob|iglob|regexp|expression|message|grep|author|format|pretty)=/

/** `x` of `--file=x`; of a bundle `-nfx` every end, since a letter may take the rest. */
function valuesOf(option: string): string[] {
  if (FILTERS.test(option)) return []
  const long = /^--[^=]*=([\s\S]+)$/.exec(option)?.[1]
  if (long !== undefined) return [long]
  if (option.startsWith('--')) return []
  const letters = Math.min(/^-\w*/.exec(option)?.[0].length ?? 0, MOST_LETTERS)
  return Array.from({ length: Math.max(letters - 1, 0) }, (_, index) => option.slice(index + 2)).filter(Boolean)
}

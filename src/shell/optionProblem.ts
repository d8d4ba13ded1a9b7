import type { Word } from '../contracts/subject.ts'
import type { DangerousOptions } from './dangerousOptions.ts'
import { isHarmlessOption, unlisted } from './isHarmlessOption.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'

/** What these run is unwrapped, what `-delete` does is plain. Where `-execdir` runs it is not known. */
export const FIND_SEEN = /^find -(?:exec|ok|delete) /

/** Why a prefix rule does not cover these words of a tool whose dangerous options are known. */
export function optionProblem(name: string, argv: readonly Word[], options: DangerousOptions): string | undefined {
  if (options.isExactOnly)
    return `${[name, ...valuesOf(argv).slice(0, 1)].join(' ')} can run or write more than the rule says`
  const count = countOperands(argv, options)
  const end = options.ends ? argv.findIndex((word) => word.kind === 'literal' && word.value === '--') : -1
  const given = end < 0 ? argv.slice(1) : argv.slice(1, end)
  const values = given.flatMap((word) => (word.kind === 'literal' ? [word.value] : readingsOf(word)))
  const all = values.filter(
    (value) =>
      options.words?.test(value) ||
      options.long?.some((long) => isLongOption(options.anyDashes ? withTwoDashes(value) : value, long)) ||
      (options.short && hasShortOption(value, options.short, options.valued)),
  )
  const found = all.find((value) => !FIND_SEEN.test(`${name} ${value} `)) ?? all[0]
  if (found !== undefined) return `${name} ${found} can run or write more than the rule says`
  const strange = strangeOption(values, options)
  if (strange !== undefined) return unlisted(name, strange)
  const valued = valueProblem(name, argv, options)
  if (valued !== undefined) return valued
  const operands = values.filter((value) => !value.startsWith('-'))
  const { option, plain } = options.projects ?? {}
  const project = values.some((value) => option?.test(value))
    ? operands.find((value) => !plain?.test(value))
    : undefined
  if (project !== undefined) return `${name} with the settings of ${project} can run or write more than the rule says`
  const isPair = (value: string, before: string | undefined): boolean =>
    options.pairs?.test(`${before ?? ''} ${value}`) === true
  const pair =
    values.find((value, index) => isPair(value, values[index - 1])) ??
    operands.find((value, index) => isPair(value, operands[index - 1]))
  if (pair !== undefined) return `${name} with ${pair} can run or write more than the rule says`
  const isGiven = options.needs === undefined || valuesOf(argv).some((value) => options.needs?.test(value))
  if (!isGiven || count < (options.leastOperands ?? 0)) return `${name} takes what to do from its input`
  if (options.operands !== undefined && count > options.operands) {
    return `${name} with ${options.operands === 1 ? 'two operands writes the second' : 'operands changes something'}`
  }
  return undefined
}

/** The first option that a tool's list does not name; a dash before a blank is text, and no number is a danger. */
function strangeOption(values: readonly string[], options: DangerousOptions): string | undefined {
  const { only, isCaseless, anyDashes, first } = options
  const acting = values.find((value) => !value.startsWith('-'))
  if (first !== undefined && acting !== undefined && !first.test(acting)) return acting
  if (only === undefined) return undefined
  return ownWords(values, options).find((value) => {
    if (!/^-./s.test(value) || /^-(?:\d+$|-*(?:\s|$))/.test(value)) return false
    const dashed = anyDashes ? withTwoDashes(value) : value
    return !isHarmlessOption(only, isCaseless ? dashed.toLowerCase() : dashed)
  })
}

/** The words that a tool reads itself; behind the name of a script only those by which it would go elsewhere for it. */
function ownWords(values: readonly string[], { last, taking, late }: DangerousOptions): readonly string[] {
  if (taking && !values.some((value) => taking.test(value))) {
    const named = values.findIndex((value) => !/^-|^run(?:-script)?$/.test(value))
    const script = named < 0 ? values.length : named
    return values.filter((value, index) => index < script || late?.test(value))
  }
  const end = values[0] === 'run' && last ? values.findIndex((value, index) => index > 0 && last.test(value)) : -1
  return end < 0 ? values : values.slice(0, end)
}

/** What is known of a word that is known only when it runs: the texts that it may be, or how it begins. */
function readingsOf(word: Exclude<Word, { kind: 'literal' }>): readonly string[] {
  const spelt = word.found?.isSpelt ? word.found.starts : []
  const patterns = word.kind === 'glob' ? [word.value] : (word.patterns ?? [word.prefix ?? ''])
  return [...spelt, ...patterns.map((pattern) => pattern.replace(/\*.*$/s, ''))].filter((text) => text !== '')
}

const PLAIN = /^[\w.-]+$/
/** Without a value some take the file that is usual. */
const SETTINGS = /^(?:-.*)?$|^[\w-]*\.(?=[\w.-]*\w)[\w.-]+$|^\w*lintrc$/

/** Why the value of an option is not covered: it is another than it should be. */
function valueProblem(name: string, argv: readonly Word[], options: DangerousOptions): string | undefined {
  // What is known only when it runs is no such value.
  const texts = argv.map((word) => (word.kind === 'dynamic' ? '/' : word.value))
  const other = (option: RegExp | undefined, allowed: RegExp): string | undefined =>
    texts.find((word, index) => option?.test(word) && !allowed.test(valueBehind(word, texts[index + 1] ?? '')))
  const placed = other(options.plainValue, PLAIN) ?? other(options.settings, SETTINGS)
  if (placed !== undefined) return `${name} ${placed} from a folder can run or write more than the rule says`
  const { option, value = PLAIN } = options.fixedValue ?? {}
  const strange = other(option, value)
  return strange && `${name} ${strange} with such a value can run or write more than the rule says`
}

/** What stands behind `=`, or in the next word. */
function valueBehind(option: string, next: string): string {
  const at = option.indexOf('=')
  return at >= 0 ? option.slice(at + 1) : next
}

/** A word with wildcards may become two; the word behind a short option with a value is none, whatever it looks like. */
function countOperands(argv: readonly Word[], { valued = '' }: DangerousOptions): number {
  let count = 0
  let isEnded = false
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index]
    const value = word?.kind === 'literal' ? word.value : ''
    if (isEnded || !value.startsWith('-') || value === '-') count += word?.kind === 'glob' ? 2 : 1
    else if (value === '--') isEnded = true
    else if (value.length === 2 && valued.includes(value.charAt(1))) index += 1
  }
  return count
}

/** `-prefix`, `---prefix` and `--no-no-prefix` are spellings of `--prefix`; one dash and one letter is something else. */
function withTwoDashes(option: string): string {
  return option.replace(/^(?:---+|-(?=[^-]{2}))/, '--').replace(/^--(?:no-)+/i, '--')
}

/** What is spelt out of the words behind the name. */
export function valuesOf(argv: readonly Word[]): readonly string[] {
  return argv.slice(1).flatMap((word) => (word.kind === 'literal' ? [word.value] : []))
}

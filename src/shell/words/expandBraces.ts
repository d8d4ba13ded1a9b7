import { quoteWord, spellWord } from './quoteWord.ts'
import type { ReadWord } from './readWord.ts'

const TEXT = '(?:[A-Za-z0-9_./@%+=*?-]|\\\\[*?])*'
const LIST = `\\{${TEXT}(?:,${TEXT})+\\}`
const NUMBER = '(?:0|[1-9]\\d{0,3})'
const RANGE = `\\{${NUMBER}\\.\\.${NUMBER}\\}`
const BRACES = new RegExp(`^${TEXT}(?:(?:${LIST}|${RANGE})${TEXT})+$`)
const BRACE = new RegExp(`(${LIST}|${RANGE})`)
/** The maximum number of words that a list, or a range of numbers, may expand to. */
const MAX_WORDS = 64
const MAX_NUMBERS = 100

/** The words that simple braces expand to (`a{b,c}`, `{1..3}`, `{a,b}/*.{c,d}`); undefined for any other text. */
export function expandBraces(text: string): readonly ReadWord[] | undefined {
  if (!BRACES.test(text)) return undefined
  const pieces = text.split(BRACE).map((piece) => (piece.startsWith('{') ? valuesOf(piece) : [piece]))
  let words: readonly string[] = ['']
  for (const values of pieces) {
    const length = words.length * values.length
    if (length > MAX_WORDS && (words.length > 1 || values.length > MAX_NUMBERS)) return undefined
    words = words.flatMap((start) => values.map((value) => start + value))
  }
  return words.includes('') ? undefined : words.map(readExpanded)
}

function valuesOf(brace: string): readonly string[] {
  const inner = brace.slice(1, -1)
  if (inner.includes(',')) return inner.split(',')
  const [from = 0, to = 0] = inner.split('..').map(Number)
  const length = Math.min(Math.abs(to - from) + 1, MAX_NUMBERS + 1)
  return Array.from({ length }, (_, index) => String(from < to ? from + index : from - index))
}

/** Wildcards stay outside the quotes, unless a backslash precedes them. */
function readExpanded(source: string): ReadWord {
  const parts = source.split(/(\\[*?]|[*?]+)/).filter((part) => part !== '')
  const values = parts.map((part) => (part.startsWith('\\') ? part.slice(1) : part))
  const isGlob = parts.some(isWildcard)
  const value = values.join('')
  if (!isGlob) return { word: { kind: 'literal', value }, emission: quoteWord(value), text: spellWord(value) }
  const emission = values.map((each, index) => (isWildcard(parts[index] ?? '') ? each : quoteWord(each))).join('')
  // An escaped star is one character. Without `globstar`, any other run of stars acts as one.
  const glob = parts.map((part) => (part.startsWith('\\') ? '?' : part.replace(/\*+/g, '*'))).join('')
  return { word: { kind: 'glob', value: glob }, emission, text: source }
}

function isWildcard(part: string): boolean {
  return /^[*?]/.test(part)
}

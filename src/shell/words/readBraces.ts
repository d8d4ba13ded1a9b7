import { expandBraces } from '../../lib/text/expandBraces.ts'
import { quoteWord, spellWord } from './quoteWord.ts'
import type { ReadWord } from './readWord.ts'

const TEXT = '(?:[A-Za-z0-9_./@%+=*?-]|\\\\[*?])*'
const LIST = `\\{${TEXT}(?:,${TEXT})+\\}`
const NUMBER = '(?:0|[1-9]\\d{0,3})'
const RANGE = `\\{${NUMBER}\\.\\.${NUMBER}\\}`
const BRACES = new RegExp(`${LIST}|${RANGE}`, 'g')
const WITHOUT = new RegExp(`^${TEXT}$`)
const MAX_WORDS = 100

/** The words that simple braces expand to (`a{b,c}`, `{1..3}`, `a/{b,c/{d,e}}.*`); undefined for any other text. */
export function readBraces(text: string): readonly ReadWord[] | undefined {
  if (!text.includes('{') || !WITHOUT.test(withoutBraces(text))) return undefined
  const words = expandBraces(text, MAX_WORDS + 1)
  return words.length === 0 || words.length > MAX_WORDS ? undefined : words.map(readExpanded)
}

/** The text with a letter for each list and range, from the inside out. What keeps a brace is neither to bash. */
function withoutBraces(text: string): string {
  const rest = text.replace(BRACES, 'x')
  return rest === text ? text : withoutBraces(rest)
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

import { quoteWord } from './quoteWord.ts'
import type { ReadWord } from './readWord.ts'

const TEXT = '[A-Za-z0-9_./@%+-]*'
const LIST = new RegExp(`^(${TEXT})\\{(${TEXT}(?:,${TEXT})+)\\}(${TEXT})$`)
const RANGE = new RegExp(`^(${TEXT})\\{(0|[1-9]\\d{0,3})\\.\\.(0|[1-9]\\d{0,3})\\}(${TEXT})$`)
const MAX_WORDS = 100

/** The words that one plain brace stands for, `a{b,c}` or `{1..3}`; undefined for every other text. */
export function expandBraces(text: string): readonly ReadWord[] | undefined {
  const [, start = '', list, end = ''] = LIST.exec(text) ?? []
  const values = list === undefined ? rangeOf(text) : list.split(',').map((each) => `${start}${each}${end}`)
  if (values === undefined || values.length > MAX_WORDS || values.includes('')) return undefined
  return values.map((value) => ({ word: { kind: 'literal', value }, emission: quoteWord(value), text: value }))
}

function rangeOf(text: string): string[] | undefined {
  const [, start = '', first, last, end = ''] = RANGE.exec(text) ?? []
  if (first === undefined || last === undefined) return undefined
  const [from, to] = [Number(first), Number(last)]
  const length = Math.abs(to - from) + 1
  if (length > MAX_WORDS) return undefined
  return Array.from({ length }, (_, index) => `${start}${from < to ? from + index : from - index}${end}`)
}

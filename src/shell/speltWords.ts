import type { FoundFiles } from '../contracts/subject.ts'

const MAX_WORDS = 64
/** A text of the line that is not known as it will be read. */
export const UNCLEAR: FoundFiles = { starts: ['/'], isPicked: true, isUnclear: true }

/**
 * Words that a command of the line spells and prints. Quotes and backslashes stay for most readers and go for xargs, so
 * that a word with them is several: as it is, its parts, and what is left without them.
 */
export function asSpelt(words: readonly string[]): FoundFiles | undefined {
  const starts = [...new Set(words.flatMap(readingsOf))].filter((word) => word !== '')
  if (starts.length === 0) return undefined
  if (starts.length > MAX_WORDS || starts.some((word) => word.startsWith('-'))) return UNCLEAR
  return { starts, isSpelt: true }
}

/** What `printf` makes of `%s`, newlines, tabs and NUL; of any other format nothing is known but that it is spelt here. */
export function asFormatted(format: string, words: readonly string[]): FoundFiles | undefined {
  const plain = format.replace(/\\[nt]/g, '\n').replace(/\\0(?!\d)/g, '\0')
  const holes = plain.split('%s')
  if (/[%\\]/.test(holes.join(''))) return UNCLEAR
  if (words.length > MAX_WORDS) return UNCLEAR
  const width = holes.length - 1
  const rounds = width === 0 ? 1 : Math.max(1, Math.ceil(words.length / width))
  const round = (at: number): string =>
    holes.map((hole, index) => (index < width ? `${hole}${words[at * width + index] ?? ''}` : hole)).join('')
  const text = Array.from({ length: rounds }, (_, at) => round(at)).join('')
  if (!text.includes('\0')) return asSpelt([text])
  const starts = text.split('\0').filter((word) => word !== '')
  const isPlain = text.endsWith('\0') && starts.length <= MAX_WORDS && !starts.some((word) => word.startsWith('-'))
  return isPlain ? { starts, isSpelt: true, isNul: true } : UNCLEAR
}

/** What is known of files after a command that may change their names: nothing, unless they were spelt before it. */
export function asChanged(input: FoundFiles | undefined): FoundFiles | undefined {
  return input?.isSpelt || input?.isUnclear ? UNCLEAR : undefined
}

function readingsOf(text: string): readonly string[] {
  const word = text.replace(/\n+$/, '')
  const bare = word.replace(/['"\\]/g, '')
  return /['"\\\s]/.test(word) ? [word, ...split(word), ...split(bare), bare.trim()] : [word]
}

function split(text: string): readonly string[] {
  return text.split(/\s+/)
}

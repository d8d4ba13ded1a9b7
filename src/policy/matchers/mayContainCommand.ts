import type { CommandPattern } from './parseCommandPattern.ts'
import { SEPARATOR } from './parseCommandPattern.ts'

/** Whether a text that may contain commands has every word of a rule's pattern, anywhere. */
export function mayContainCommand(pattern: CommandPattern, text: string): boolean {
  const words = pattern.kind === 'any' ? [] : literalWords(pattern)
  if (words.length === 0) return false
  const tokens = new Set(text.toLowerCase().split(/[^\w./@+-]+/))
  return words.every((word) => tokens.has(word))
}

/** The words of a pattern without a star. */
function literalWords(pattern: Exclude<CommandPattern, { kind: 'any' }>): readonly string[] {
  const words =
    pattern.kind === 'glob'
      ? pattern.segments
          .join('*')
          .split(SEPARATOR)
          .filter((word) => !word.includes('*'))
      : pattern.words
  return words.map((word) => word.toLowerCase()).filter((word) => word !== '')
}

import { textOf } from '../programs/literalWord.ts'
import type { ReadWord } from '../words/readWord.ts'
import { builtinWords } from './changeDirectory.ts'

/** Without `-v`, `unset` removes a function if there is no such variable. */
export function onlyVariables(words: readonly ReadWord[]): readonly ReadWord[] {
  const own = builtinWords(words.map(({ word }) => word))
  if (textOf(own[0]) !== 'unset' || own.length === 1 || textOf(own[1]).startsWith('-')) return words
  const at = words.length - own.length
  return words.map((each, index) => (index === at ? { ...each, emission: "'unset' '-v'" } : each))
}

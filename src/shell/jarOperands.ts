import { type FileOperand, fileOf, fromValues } from './fileOperand.ts'
import type { SortedWords } from './sortWords.ts'

/** What jar packs is read with all below; unless it only lists, any of its operands may be the archive that it writes. */
export function jarOperands(words: SortedWords): readonly FileOperand[] {
  const { operands, options } = words
  const [mode] = operands
  const isListing = [...options.slice(0, 1), mode?.kind === 'literal' ? mode.value : ''].some((text) =>
    /^-?[vf0]*t|^--list$/.test(text),
  )
  const read = operands.flatMap((word) => fileOf(word, 'read', !isListing))
  if (isListing) return [...read, ...fromValues(words, 'read')]
  return [...read, ...operands.flatMap((word) => fileOf(word, 'write')), ...fromValues(words, 'write')]
}

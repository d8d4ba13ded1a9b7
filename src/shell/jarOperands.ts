import { type FileOperand, fileOf, fromValues } from './fileOperand.ts'
import type { SortedWords } from './sortWords.ts'

const LISTING = /^-?[vf0]*t\w*$|^--list$/
const PACKING = /^-?[vfmeM0]*[cui]\w*$|^--(?:create|update|generate-index)/
const UNPACKING = /^-?\w*x\w*$|^--ex/

/** What jar packs is read with all below, and any operand may be the archive that it writes; what it unpacks may be any file. */
export function jarOperands(words: SortedWords): readonly FileOperand[] {
  const { operands, options } = words
  const [mode] = operands
  const modes = [...options, mode?.kind === 'literal' ? mode.value : '']
  const read = operands.flatMap((word) => fileOf(word, 'read'))
  if (modes.some((text) => LISTING.test(text))) return [...read, ...fromValues(words, 'read')]
  const isPacking = modes.some((text) => PACKING.test(text)) && !modes.some((text) => UNPACKING.test(text))
  if (!isPacking) return [...read, { access: 'write', path: '**', isPattern: true }]
  const trees = operands.flatMap((word) => fileOf(word, 'read', true))
  return [...trees, ...operands.flatMap((word) => fileOf(word, 'write')), ...fromValues(words, 'write')]
}

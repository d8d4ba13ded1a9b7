import type { Word } from '../contracts/subject.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { readSed, sedProblem } from './sedProblem.ts'

/** The files that a sed changes in their places, and the copies it keeps of them; undefined where it does not. */
export function sedOperands(argv: readonly Word[]): readonly FileOperand[] | undefined {
  const { files, isInPlace, suffix, unknown } = readSed(argv)
  if (!isInPlace || unknown !== undefined) return undefined
  if (files.some((word) => word.kind !== 'literal') && sedProblem(argv) !== undefined) return undefined
  return files.flatMap((word) => targetsOf(word, suffix))
}

function targetsOf(word: Word, suffix: string): FileOperand[] {
  if (word.kind !== 'literal') {
    return fileOf(word, 'write').map((file) => ({ ...file, isGlob: true, isTarget: true }))
  }
  const names = suffix === '' ? [word.value] : [word.value, word.value + suffix]
  return names.map((path) => ({ access: 'write', path, isPattern: false, isTarget: true }))
}

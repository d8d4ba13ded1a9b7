import type { Word } from '../contracts/subject.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { pythonModule } from './pythonModule.ts'
import { textOf } from './textOf.ts'

/** The folders that `python3 -m venv` and `virtualenv` fill, and with `--clear` empty before. */
export function environmentFolders(name: string, argv: readonly Word[]): readonly FileOperand[] {
  const found = /^python[\d.]*$/.test(name) ? pythonModule(argv) : undefined
  const isMade = name === 'virtualenv' || /^(?:venv|virtualenv)$/.test(found?.module ?? '')
  const words = isMade ? argv.slice(found?.start ?? 1) : []
  return words.flatMap((word) => (textOf(word).startsWith('-') ? [] : fileOf(word, 'write', true)))
}

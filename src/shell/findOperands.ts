import type { FoundFiles, Word } from '../contracts/subject.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { readFind } from './readFind.ts'

/** Where `find` looks, and the file that gives it more places. */
export function findOperands(argv: readonly Word[]): readonly FileOperand[] {
  const words = argv.slice(1)
  const start = words.findIndex((word) => !(word.kind === 'literal' && /^-(?:[HLP]+|O\d|D)$/.test(word.value)))
  const rest = start < 0 ? [] : words.slice(start)
  const end = rest.findIndex((word) => word.kind === 'literal' && /^(?:-.|[(!,)]$)/.test(word.value))
  const places = end < 0 ? rest : rest.slice(0, end)
  const removes = words.some((word) => word.kind === 'literal' && word.value === '-delete')
  const access = removes ? 'write' : 'read'
  const deleted = removes ? deletedBy(argv) : undefined
  if (deleted) return fileOf({ kind: 'dynamic', found: deleted }, access)
  const found = places.flatMap((word) => fileOf(word, access, removes))
  const here: FileOperand = { access, path: '.', isPattern: false, isGuess: true, ...(removes ? { isTree: true } : {}) }
  const lists = words.flatMap((word, index) => {
    const before = words[index - 1]
    return before?.kind === 'literal' && before.value === '-files0-from' ? fileOf(word, 'read') : []
  })
  return [...(places.length > 0 ? found : [here]), ...lists]
}

/** What a plain `find … -delete` removes. */
function deletedBy(argv: readonly Word[]): FoundFiles | undefined {
  const at = argv.findIndex((word) => word.kind === 'literal' && word.value === '-delete')
  const last = argv.length - 1
  return at === last ? readFind([...argv.slice(0, at), { kind: 'literal', value: '-print' }]) : undefined
}

import type { Word } from '../contracts/subject.ts'
import { pythonModule } from './pythonModule.ts'

/** Nothing that a shell would read as more than a word. */
const PLAIN = /^[\w.,:@%+=/~ -]*$/
const LOOKING = /^-[lt]$|^--(?:list|test)$/

/** `python3 -m json.tool IN OUT` writes its second operand, and an archive says where its files go. */
export function pythonProblem(argv: readonly Word[]): string | undefined {
  const { module, start } = pythonModule(argv) ?? { module: '', start: 0 }
  if (/^(?:zipfile|tarfile|gzip)$/.test(module)) {
    const [mode] = argv.slice(start)
    const isLooking = mode?.kind === 'literal' && LOOKING.test(mode.value)
    return isLooking ? undefined : `${module} unpacks over any file`
  }
  if (module === 'zipapp') return 'zipapp writes a program'
  if (/^(?:venv|virtualenv)$/.test(module)) {
    const odd = argv.slice(start).find((word) => word.kind !== 'literal' || !PLAIN.test(word.value))
    return odd && `${module} writes ${odd.kind === 'dynamic' ? 'a word' : odd.value} into a script that shells read`
  }
  if (module !== 'json.tool') return undefined
  const operands = argv.slice(start).filter((word, index) => {
    const before = argv[start + index - 1]
    const isValue = index > 0 && before?.kind === 'literal' && before.value === '--indent'
    return !isValue && !(word.kind === 'literal' && /^-./.test(word.value))
  })
  const isMany = operands.length > 1 || operands.some(({ kind }) => kind === 'glob')
  return isMany ? 'json.tool with two operands writes the second' : undefined
}

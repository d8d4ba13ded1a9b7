import type { Word } from '../contracts/subject.ts'
import { pythonModule } from './pythonModule.ts'

/** `python3 -m json.tool IN OUT` writes its second operand. */
export function pythonProblem(argv: readonly Word[]): string | undefined {
  const { module, start } = pythonModule(argv) ?? { module: '', start: 0 }
  if (module !== 'json.tool') return undefined
  const operands = argv.slice(start).filter((word, index) => {
    const before = argv[start + index - 1]
    const isValue = index > 0 && before?.kind === 'literal' && before.value === '--indent'
    return !isValue && !(word.kind === 'literal' && /^-./.test(word.value))
  })
  const isMany = operands.length > 1 || operands.some(({ kind }) => kind === 'glob')
  return isMany ? 'json.tool with two operands writes the second' : undefined
}

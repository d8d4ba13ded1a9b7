import type { Word } from '../contracts/subject.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { toolName } from './toolName.ts'

const COMPILERS = new Set('gcc g++ cc c++ clang clang++ cpp as ld objcopy rustc c89 c99 gfortran gccgo'.split(' '))
/** Their second operand is what they write. */
const SECOND = new Set(['cpp', 'objcopy'])
const VALUED = /^(?:-[IDUxOBFGjKLNRSTWbhiludeo]|--[\w-]+|-(?:include|imacros|isystem|iquote|MF|MT|MQ))$/

/** What a compiler or linker writes: the value of `-o` and of `-MF`, and for some the second operand. */
export function compilerOutputs(called: string, argv: readonly Word[]): readonly FileOperand[] {
  const name = toolName(called)
  if (!COMPILERS.has(name)) return []
  const named = argv.flatMap((word, index): readonly Word[] => {
    if (word.kind === 'glob') return []
    const start = word.kind === 'literal' ? word.value : (word.prefix ?? '')
    const [found, value = ''] = /^(?:-o|-MF|--output(?:=|$)|-+Map(?:=|$))([\s\S]*)$/.exec(start) ?? []
    if (found === undefined) return []
    if (word.kind === 'dynamic') return [{ kind: 'dynamic' }]
    if (value !== '') return [{ kind: 'literal', value }]
    const next = argv[index + 1]
    return next ? [next] : []
  })
  const operands = argv.slice(1).filter((word, index) => {
    const before = argv[index]
    const isValue = index > 0 && before?.kind === 'literal' && VALUED.test(before.value)
    return !isValue && !(word.kind === 'literal' && /^-./.test(word.value))
  })
  const second = SECOND.has(name) ? operands.slice(1) : []
  return [...named, ...second].flatMap((word) => fileOf(word, 'write'))
}

import type { Word } from '../contracts/subject.ts'
import { countsIntoVariable } from './changesState.ts'

/** Why a printf is not covered: `-v` and `%n` assign variables, PATH among them. */
export function printfProblem(argv: readonly Word[]): string | undefined {
  const format = argv.slice(1).find((word) => word.kind !== 'literal' || word.value !== '--')
  if (format?.kind !== 'literal') return format && 'printf with a format known only when it runs'
  if (/^-./.test(format.value)) return `printf ${format.value} may assign a variable`
  return countsIntoVariable(format.value) ? 'printf %n assigns a variable' : undefined
}

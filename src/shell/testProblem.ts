import type { Word } from '../contracts/subject.ts'

/** Why a test is not harmless: `-v` and `-R` evaluate subscripts, an operand known only when it runs may be one of them. */
export function testProblem(argv: readonly Word[]): string | undefined {
  for (const word of argv.slice(1)) {
    if (word.kind !== 'literal') return 'a test of something known only when it runs'
    if (word.value === '-v' || word.value === '-R') return `test ${word.value} evaluates subscripts`
  }
  return undefined
}

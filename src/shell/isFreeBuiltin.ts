import type { Word } from '../contracts/subject.ts'
import { testProblem } from './testProblem.ts'

const STATUS = /^\d{1,3}$/

/** True for builtins that touch nothing outside the line: they need no rule. */
export function isFreeBuiltin(argv: readonly Word[]): boolean {
  const values = argv.map((word) => (word.kind === 'literal' ? word.value : undefined))
  const [name, ...rest] = values
  switch (name) {
    case 'true':
    case 'false':
    case ':':
      return true
    case 'exit':
      return rest.length === 0 || (rest.length === 1 && (STATUS.test(rest[0] ?? '') || argv[1]?.kind === 'dynamic'))
    case 'break':
    case 'continue':
      return rest.length === 0 || (rest.length === 1 && STATUS.test(rest[0] ?? ''))
    case 'set':
      return /^(?:[-+](?:[eux]+|[eux]*o pipefail))$/.test(rest.join(' '))
    case 'command':
      return (
        /^-[vV]$/.test(rest[0] ?? '') && rest.slice(1).every((value) => value !== undefined && !value.startsWith('-'))
      )
    case 'wait':
      return rest.length === 0
    case 'test':
      return testProblem(argv) === undefined
    case '[':
      return testProblem(argv) === undefined && values.at(-1) === ']'
    default:
      return false
  }
}

import type { Word } from '../contracts/subject.ts'
import { textOf } from './textOf.ts'

/** Why a wildcard does not cover these words of `kill`: `0`, `-1` and groups are processes that nobody named, the runner among them. */
export function killProblem(argv: readonly Word[]): string | undefined {
  const values = argv.slice(1).map(textOf)
  const own = /^-[sn]$/.test(values[0] ?? '') ? 2 : /^-(?!-$)/.test(values[0] ?? '') ? 1 : 0
  const found = values.slice(own).find((value) => /^-\d|^\+?0+$/.test(value))
  return found === undefined ? undefined : `kill ${found} reaches processes that the rule does not name`
}

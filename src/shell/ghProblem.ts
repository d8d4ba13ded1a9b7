import type { Word } from '../contracts/subject.ts'
import { textOf } from './textOf.ts'

/** What git clone may be told without running or loading anything. */
const CLONING =
  /^(?:--depth(?:=\d+)?|\d+|--single-branch|--no-tags|--quiet|-q|--no-checkout|--filter=blob:none|--branch=[\w./-]+)$/

/** Why a wildcard does not cover these words of gh: behind `--` they are git's or ssh's. */
export function ghProblem(argv: readonly Word[]): string | undefined {
  const end = argv.findIndex((word) => textOf(word) === '--')
  const found = end < 0 ? undefined : argv.slice(end + 1).find((word) => !CLONING.test(textOf(word)))
  return found && `gh with ${textOf(found)} behind -- can run or write more than the rule says`
}

import { CHECKS } from './checks.ts'
import { judgeLine } from './judgeLine.ts'
import type { ShellAnalysis, ShellContext } from './shellContext.ts'

export type { ShellAnalysis, ShellContext } from './shellContext.ts'

/** What a Bash line touches, and the text that does only that. Pure but for `resolve`; never throws. */
export function analyzeCommand(text: string, context: ShellContext): ShellAnalysis {
  return judgeLine(text, context, CHECKS)
}

import type { RuleTarget } from '../Policy.ts'
import { type CommandPattern, parseCommandPattern } from './parseCommandPattern.ts'

type CommandTarget = Extract<RuleTarget, { kind: 'command' }>

const known = new WeakMap<CommandTarget, CommandPattern>()

/** The pattern of a rule on commands, parsed once when the rule is read. */
export function commandPatternOf(target: CommandTarget): ReturnType<typeof parseCommandPattern> {
  return known.get(target) ?? parseCommandPattern(target.pattern)
}

/** A target whose pattern is already parsed. */
export function commandTarget(pattern: string, parsed: CommandPattern): CommandTarget {
  const target: CommandTarget = { kind: 'command', pattern }
  known.set(target, parsed)
  return target
}

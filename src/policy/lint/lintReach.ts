import { commandPatternOf } from '../matchers/commandPatternOf.ts'
import { parsePathPatterns } from '../matchers/parsePathPattern.ts'
import { isPathCovered } from '../matchers/path.ts'
import type { Policy, Rule } from '../Policy.ts'
import { isOfPreset } from '../presets.ts'
import type { Remark } from './lintPolicy.ts'
import { isProjectRunner } from './riskyCommands.ts'

/** An agent that may write the whole project decides what its test and build commands do. */
export function lintReach(policy: Policy, rule: Rule): readonly Remark[] {
  if (rule.list !== 'allow' || rule.target.kind !== 'path' || !coversProject(policy, rule)) return []
  const runner = policy.rules.find((other) => other.list === 'allow' && runsProject(other))
  if (runner === undefined) return []
  const message = `with ${runner.text} this is as good as allowing every command, because the agent can write the code that it runs; name the folders`
  return [{ message, edit: 'Edit(src/**)' }]
}

function coversProject(policy: Policy, { target, list }: Rule): boolean {
  if (target.kind !== 'path' || target.access !== 'write') return false
  const patterns = parsePathPatterns(target.pattern, list, policy)
  return ['package.json', 'Makefile', 'a/b.c'].every((name) =>
    patterns.some((pattern) => isPathCovered(pattern, `${policy.cwd}/${name}`, 'write')),
  )
}

/** A preset's rules are not a choice of this policy's author. */
function runsProject(rule: Rule): boolean {
  const { tool, target } = rule
  if (isOfPreset(rule) || tool !== 'Bash' || target.kind !== 'command') return false
  const pattern = commandPatternOf(target)
  if (!('words' in pattern)) return false
  const [name = '', ...others] = pattern.words
  const isAsked = pattern.kind === 'exact' && others.length > 0 && others.every((word) => INFORMATION_OPTION.test(word))
  return isProjectRunner(name) && !isAsked
}

/** A program that prints information about itself runs nothing. */
const INFORMATION_OPTION = /^(?:-v|-V|-h|--version|--help)$/

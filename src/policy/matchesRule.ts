import type { Call } from '../contracts/subject.ts'
import { evaluate } from './evaluate.ts'
import { indexRules } from './indexRules.ts'
import type { Policy, Rule } from './Policy.ts'
import { parseRule } from './parseRule.ts'

/**
 * True where a rule's text matches any part of the call, as a deny rule would, and where the call cannot be seen through.
 * A rule that can match nothing is never matched; such texts are refused when the policy is loaded.
 */
export function matchesRule(policy: Policy, text: string, call: Call): boolean {
  const { tool, target, problem } = parseRule(text, 'deny')
  if (problem !== undefined) return false
  const rule: Rule = { text, list: 'deny', file: '', line: 0, tool, target }
  const index = indexRules([rule], { cwd: policy.cwd, home: policy.home, resolve: () => [] })
  const alone: Policy = { ...policy, rules: [rule], index, files: [], untouchable: [] }
  if (evaluate(alone, call).reason.type === 'rule') return true
  const isMeant = tool === call.tool || call.aliases.includes(tool)
  return (
    isMeant &&
    call.subjects.some(
      (subject) =>
        subject.kind === 'opaque' || (subject.kind === 'command' && subject.chain.some((link) => link.isUnseen)),
    )
  )
}

import type { Call } from '../../contracts/subject.ts'
import { evaluate, isUnseen } from '../evaluate.ts'
import type { Policy } from '../Policy.ts'
import { indexRules } from './indexRules.ts'
import { ruleOf } from './parseRule.ts'

/**
 * True if a rule's text matches any part of the call, as a deny rule would, or if the call cannot be analyzed. A rule
 * that can never match does not match here; such texts are rejected when the policy is loaded.
 */
export function matchesRule(policy: Policy, text: string, call: Call): boolean {
  const rule = ruleOf(text, 'deny', { file: '', line: 0 })
  if (rule.target.kind === 'nothing') return false
  const index = indexRules([rule], { cwd: policy.cwd, home: policy.home, resolve: () => [] })
  if (evaluate({ ...policy, index, files: [], untouchable: [] }, call).reason.type === 'rule') return true
  const isTool = rule.tool === call.tool || call.aliases.includes(rule.tool)
  return isTool && call.subjects.some((subject) => subject.kind === 'opaque' || isUnseen(subject))
}

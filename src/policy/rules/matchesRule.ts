import type { Call } from '../../contracts/subject.ts'
import { evaluate } from '../evaluate.ts'
import type { Policy, Rule } from '../Policy.ts'
import { indexRules } from './indexRules.ts'
import { parseRule } from './parseRule.ts'

/**
 * True if a rule's text matches any part of the call, as a deny rule would, or if the call cannot be analyzed. A rule
 * that can never match does not match here; such texts are rejected when the policy is loaded.
 */
export function matchesRule(policy: Policy, text: string, call: Call): boolean {
  const { tool, target, problem } = parseRule(text, 'deny')
  if (problem !== undefined) return false
  const rule: Rule = { text, list: 'deny', file: '', line: 0, tool, target }
  const index = indexRules([rule], { cwd: policy.cwd, home: policy.home, resolve: () => [] })
  const alone: Policy = { ...policy, index, files: [], untouchable: [] }
  if (evaluate(alone, call).reason.type === 'rule') return true
  const isTool = tool === call.tool || call.aliases.includes(tool)
  return (
    isTool &&
    call.subjects.some(
      (subject) =>
        subject.kind === 'opaque' || (subject.kind === 'command' && subject.chain.some((link) => link.isUnseen)),
    )
  )
}

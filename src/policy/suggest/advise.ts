import type { Decision } from '../../contracts/decision.ts'
import type { Call } from '../../contracts/subject.ts'
import type { Policy } from '../Policy.ts'
import { suggestRules } from './suggestRules.ts'

/**
 * The decision with advice on what would allow the call: the rules to add, or why none is offered. It is added to the
 * end of the message. Gives advice only if no rule denies the call, and none about a protected place: its denial names
 * the rule that opens it.
 */
export function advise(policy: Policy, call: Call, decision: Decision): Decision {
  const { reason } = decision
  if (!['headless', 'audit', 'opaque', 'protected', 'effect'].includes(reason.type)) return decision
  const { rules, refused } = suggestRules(policy, [{ name: call.tool, call }])
  const suggestion = rules.map(({ rule }) => rule)
  if (suggestion.length > 0) {
    const words = suggestion.map((rule) => `\`${rule}\``).join(', ')
    return { ...decision, suggestion, message: joined(decision.message, `A person could allow it by ${words}.`) }
  }
  if (reason.type === 'protected') return decision
  const [first] = refused
  if (first === undefined || isSaid(decision.message, first.why)) return decision
  return { ...decision, message: joined(decision.message, `No rule is offered: ${first.why}.`) }
}

function joined(message: string, more: string): string {
  return message === '' ? '' : `${message} ${more}`
}

/** The message already contains the reason. */
function isSaid(message: string, why: string): boolean {
  return message.includes(why)
}

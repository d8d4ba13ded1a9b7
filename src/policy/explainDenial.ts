import type { RuleRef, SubjectVerdict } from '../contracts/decision.ts'
import type { Call } from '../contracts/subject.ts'
import { shortPath } from './describeSubject.ts'
import { OWN_RULE, type Policy, type Rule } from './Policy.ts'

const MAX_EXAMPLES = 6

/** One or two sentences for the model: what was not allowed and why, and what of the same kind is. */
export function explainDenial(policy: Policy, call: Call, verdict: SubjectVerdict): string {
  const what = `${call.tool}: \`${verdict.subject}\``
  const { reason, behavior } = verdict
  if (reason.type === 'rule') {
    const by = `the rule ${describeRule(policy, reason.rule)}`
    return behavior === 'deny'
      ? `${what} is denied by ${by}; other spellings of it are denied too.`
      : `${what} needs a person's consent by ${by}, and nobody is there to ask.`
  }
  if (reason.type === 'opaque') {
    const advice = call.tool === 'Bash' ? ' Write it as plain commands with literal words.' : ''
    return `${call.tool} was not run, because it cannot be judged beforehand: ${reason.detail}.${advice}`
  }
  if (reason.type === 'protected') return `${what} is not allowed: ${reason.detail}.`
  const detail = reason.type === 'headless' && !reason.detail.startsWith('no allow rule') ? ` (${reason.detail})` : ''
  return `${what} is not allowed by the policy${detail}. ${allowedOfTheSameKind(policy, call, verdict)}`
}

function describeRule(policy: Policy, { text, file, line }: RuleRef): string {
  const place = line > 0 ? `${shortPath(policy.cwd, file)}:${line}` : file
  return `\`${text}\` (${place})`
}

function allowedOfTheSameKind(policy: Policy, call: Call, verdict: SubjectVerdict): string {
  const tools = toolsOfKind(call, verdict)
  const rules = policy.rules.filter((rule) => rule.list === 'allow' && isOfKind(rule, tools))
  if (rules.length === 0) return `Nothing of this kind is allowed, so do not try variants.`
  const texts = [...new Set(nearestFirst(rules, verdict.subject).map((rule) => `\`${rule.text}\``))]
  const more = texts.length > MAX_EXAMPLES ? ` and ${texts.length - MAX_EXAMPLES} more` : ''
  return `Allowed of this kind: ${texts.slice(0, MAX_EXAMPLES).join(', ')}${more}.`
}

function toolsOfKind(call: Call, verdict: SubjectVerdict): readonly string[] {
  if (verdict.subject.startsWith('write ')) return ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']
  if (verdict.subject.startsWith('read ')) return ['Read', 'Edit', call.tool]
  return [call.tool]
}

function isOfKind(rule: Rule, tools: readonly string[]): boolean {
  if (rule.target.kind === 'nothing' || rule.file === OWN_RULE) return false
  if (rule.target.kind !== 'mcp') return tools.includes(rule.tool)
  const { server } = rule.target
  return tools.some((tool) => tool.startsWith(`mcp__${server}__`))
}

/** Rules that share the first word of the subject come first. */
function nearestFirst(rules: readonly Rule[], subject: string): readonly Rule[] {
  const word = subject.split(/[\s/]/).find((part) => part !== 'read' && part !== 'write') ?? ''
  const isNear = (rule: Rule): boolean => word !== '' && rule.text.includes(word)
  return [...rules.filter(isNear), ...rules.filter((rule) => !isNear(rule))]
}

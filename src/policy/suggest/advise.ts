import type { Decision, SubjectVerdict } from '../../contracts/decision.ts'
import type { EffectsReport, RefusedChange } from '../../contracts/effects.ts'
import type { Call } from '../../contracts/subject.ts'
import { describeEffects } from '../../effects/describeEffects.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import type { Policy } from '../Policy.ts'
import { judgePath, writeCall } from '../paths/judgePath.ts'
import { suggestRules } from './suggestRules.ts'

/**
 * The decision with advice at the end of its message: the rules to add, or why none is offered. None where a rule
 * denies, or about a protected place, whose denial names the rule that opens it.
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
  if (first === undefined || decision.message.includes(first.why)) return decision
  return { ...decision, message: joined(decision.message, `No rule is offered: ${first.why}.`) }
}

function joined(message: string, more: string): string {
  return message === '' ? '' : `${message} ${more}`
}

/** More paths are not listed one by one. */
const MOST = 20

/** The Edit rules that a command's kept changes would have needed without `--audit`. */
export function auditedEdits(policy: Policy, { kept }: EffectsReport): readonly string[] {
  const judge = { policy, workingDirectories: [policy.cwd] }
  const paths = kept.flatMap(({ path, entry }) =>
    entry === 'folder' || path.includes('/.git/') || judgePath(judge, path, 'write') === 'allow' ? [] : [path],
  )
  const { rules } = suggestRules(policy, writesOf(policy, paths))
  return rules.map(({ rule }) => rule).slice(0, MOST)
}

/** The denial for a command's refused changes; undefined if everything was kept. */
export function refuseEffects(policy: Policy, report: EffectsReport): Decision | undefined {
  const refused = [...report.undone, ...report.leftOut]
  const deciding = refused.find(({ rule }) => rule?.list === 'deny') ?? refused[0]
  if (deciding === undefined) return undefined
  const suggestion = deciding.rule === undefined ? suggest(policy, refused) : []
  const help = suggestion.length === 0 ? '' : ` A person could allow it by \`${suggestion.join('`, `')}\`.`
  return {
    behavior: 'deny',
    reason: reasonFor(deciding),
    message: `${describeEffects(report, policy.cwd)}${help}`,
    ...(suggestion.length === 0 ? {} : { suggestion }),
    parts: refused.slice(0, MOST).map((each) => partFor(policy, each)),
  }
}

function reasonFor({ change, why, rule }: RefusedChange): Decision['reason'] {
  return rule === undefined ? { type: 'effect', path: change.path, detail: why } : { type: 'rule', rule }
}

function partFor(policy: Policy, refused: RefusedChange): SubjectVerdict {
  return {
    subject: `write ${displayPath(refused.change.path, policy.cwd)}`,
    behavior: 'deny',
    reason: reasonFor(refused),
  }
}

/** The rules that would cover the refused changes. None if a change is never kept, because they would not help. */
function suggest(policy: Policy, refused: readonly RefusedChange[]): readonly string[] {
  if (refused.some(({ rule, isFinal }) => rule !== undefined || isFinal === true)) return []
  const paths = refused.map(({ change }) => change.path)
  const { rules, refused: closed } = suggestRules(policy, writesOf(policy, paths))
  return closed.length > 0 ? [] : rules.map(({ rule }) => rule)
}

/** The calls that write these paths, except for folders of files that are written anyway. */
function writesOf(policy: Policy, paths: readonly string[]) {
  const files = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)))
  return files.map((path) => ({ name: displayPath(path, policy.cwd), call: writeCall(path) }))
}

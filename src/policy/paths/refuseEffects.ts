import type { Decision, SubjectVerdict } from '../../contracts/decision.ts'
import type { EffectsReport, RefusedChange } from '../../contracts/effects.ts'
import { describeEffects } from '../../effects/describeEffects.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import type { Policy } from '../Policy.ts'
import { suggestRules } from '../suggest/suggestRules.ts'
import { writeCall } from '../suggest/writeCall.ts'

/** More paths are not listed one by one. */
const MAX_PARTS = 20

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
    parts: refused.slice(0, MAX_PARTS).map((each) => partFor(policy, each)),
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
export function writesOf(policy: Policy, paths: readonly string[]) {
  const files = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)))
  return files.map((path) => ({ name: displayPath(path, policy.cwd), call: writeCall(path) }))
}

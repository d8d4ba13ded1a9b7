import type { Decision, SubjectVerdict } from '../contracts/decision.ts'
import type { EffectsReport, RefusedChange } from '../contracts/effects.ts'
import { describeEffects, shownPath } from '../effects/describeEffects.ts'
import { escapeGlob } from './escapeGlob.ts'
import type { Policy } from './Policy.ts'
import { isOpenable } from './protectedPaths.ts'

/** More are not named one by one. */
const MOST_PARTS = 20

/** The denial that a command's refused changes come to; undefined where everything was kept. */
export function refuseEffects(policy: Policy, report: EffectsReport): Decision | undefined {
  const refused = [...report.undone, ...report.leftOut]
  const deciding = refused.find(({ rule }) => rule?.list === 'deny') ?? refused[0]
  if (deciding === undefined) return undefined
  return {
    behavior: 'deny',
    reason: reasonFor(deciding),
    message: describeEffects(report, policy.cwd),
    parts: refused.slice(0, MOST_PARTS).map((each) => partFor(policy, each)),
  }
}

function reasonFor({ change, why, rule }: RefusedChange): Decision['reason'] {
  return rule === undefined ? { type: 'effect', path: change.path, detail: why } : { type: 'rule', rule }
}

function partFor(policy: Policy, refused: RefusedChange): SubjectVerdict {
  const { change, rule, isFinal = false } = refused
  const short = shownPath(change.path, policy.cwd)
  const mayHelp = rule === undefined && !isFinal && !short.startsWith('/')
  const suggestion = mayHelp ? suggest(policy, change.path, short) : undefined
  return {
    subject: `write ${short}`,
    behavior: 'deny',
    reason: reasonFor(refused),
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

/** The rule that would cover the path; undefined for protected places that no advice should open. */
function suggest(policy: Policy, path: string, short: string): string | undefined {
  if (!isOpenable(path, policy.home)) return undefined
  const pattern = escapeGlob(short)
  return `Edit(${pattern.includes('/') ? pattern : `./${pattern}`})`
}

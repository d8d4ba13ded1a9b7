import type { RuleRef } from '../contracts/decision.ts'
import type { PathSubject } from '../contracts/subject.ts'
import { isPathDenied } from './matchers/path.ts'
import type { Policy } from './Policy.ts'

/** Of the many files that a subject means, one that the rule is against; undefined where it names only one. */
export function findCulprit(policy: Policy, { text, list, line }: RuleRef, subject: PathSubject): string | undefined {
  const { found, matches, below } = subject
  const paths = found?.files() ?? matches?.() ?? below?.() ?? []
  if (paths.length === 0 || list === 'allow') return undefined
  const { read, write } = policy.index[list]
  const entries = [...read.all, ...write.all].filter(({ rule }) => rule.text === text && rule.line === line)
  return paths.find((path) => entries.some(({ pattern }) => isPathDenied(pattern, path)))
}

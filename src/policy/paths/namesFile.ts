import { indexRules } from '../rules/indexRules.ts'
import { decidePath, type PathJudge } from './judgePath.ts'

/** True if an allow rule without a wildcard covers this file: its author meant exactly this one. */
export function namesFile({ policy, ...place }: PathJudge, path: string): boolean {
  const rules = policy.rules.filter(({ list, text }) => list === 'allow' && /^\w+\([^*?[\]{}]+\)$/.test(text))
  const index = indexRules(rules, { cwd: policy.cwd, home: policy.home, resolve: () => [] })
  return decidePath({ policy: { ...policy, rules, index }, ...place }, path, 'write').behavior === 'allow'
}

import type { Policy, Rule } from '../Policy.ts'
import { indexPolicy } from '../rules/indexPolicy.ts'
import { parseRule } from '../rules/parseRule.ts'

/** The same policy with more allow rules, as if they were in its file. */
export function withRules(policy: Policy, texts: readonly string[]): Policy {
  const added = texts.map((text): Rule => {
    const { tool, target } = parseRule(text, 'allow')
    return { text, list: 'allow', file: 'a suggestion', line: 0, tool, target }
  })
  const { rules, indexed = rules, cwd, home, links } = policy
  const all = [...indexed, ...added]
  return {
    ...policy,
    rules: [...rules, ...added],
    indexed: all,
    ...indexPolicy({ rules: all, cwd, home, before: links }),
  }
}

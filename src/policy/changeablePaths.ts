import type { Policy, Rule } from './Policy.ts'

/** What commands and tools may change, by the patterns of the Edit rules as they are written. */
export type ChangeablePaths = { readonly allowed: readonly string[]; readonly denied: readonly string[] }

/** The patterns of the Edit rules that allow and that deny or ask; a bare `Edit` stands for every file. */
export function changeablePaths({ rules }: Pick<Policy, 'rules'>): ChangeablePaths {
  const patterns = (isMeant: (rule: Rule) => boolean): readonly string[] => [
    ...new Set(rules.filter((rule) => rule.tool === 'Edit' && isMeant(rule)).flatMap(patternOf)),
  ]
  return { allowed: patterns(({ list }) => list === 'allow'), denied: patterns(({ list }) => list !== 'allow') }
}

function patternOf({ target }: Rule): readonly string[] {
  if (target.kind === 'path') return [target.pattern]
  return target.kind === 'bare' ? ['every file'] : []
}

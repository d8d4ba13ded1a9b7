import type { Policy, Rule } from '../Policy.ts'

/** What commands and tools may change: the patterns of the Edit rules as written. */
export type ChangeablePaths = { readonly allowed: readonly string[]; readonly denied: readonly string[] }

/** The patterns of the Edit rules that allow, and of those that deny or ask; a bare `Edit` means every file. */
export function changeablePaths({ rules }: Pick<Policy, 'rules'>): ChangeablePaths {
  const patterns = (isChosen: (rule: Rule) => boolean): readonly string[] => [
    ...new Set(rules.filter((rule) => rule.tool === 'Edit' && isChosen(rule)).flatMap(patternOf)),
  ]
  return { allowed: patterns(({ list }) => list === 'allow'), denied: patterns(({ list }) => list !== 'allow') }
}

function patternOf({ target }: Rule): readonly string[] {
  if (target.kind === 'path') return [target.pattern]
  return target.kind === 'bare' ? ['every file'] : []
}

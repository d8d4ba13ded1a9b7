import type { SuggestedRule, Suggestion } from '../contracts/events.ts'
import { groupBy } from '../lib/groupBy.ts'
import { firstOf, oneLine } from '../lib/text/words.ts'

const MAX_CALLS = 3

/** Rules as in a policy file, each after the calls that it comes from, ready to paste. */
export function suggestionYaml(rules: readonly SuggestedRule[]): string {
  const entries = rules.map((each) => `    # ${originOf(each)}\n    - ${JSON.stringify(each.rule)}\n`)
  return `permissions:\n  allow:\n${entries.join('')}`
}

/** The calls that a rule comes from, on one line. Long calls that look the same when they are cut are shown once. */
export function originOf({ from }: SuggestedRule): string {
  const lines = [...new Set(from.map((call) => oneLine(call, 100)))]
  return firstOf(lines, MAX_CALLS, (left) => `and ${left} more`).join(', ')
}

type Refused = Suggestion['refused'][number]

/** A repository in a folder is one place, and so is `.claude`. */
const HIDDEN = /( changes (?:[^/]*\/)*?\.[\w-]+\/).*$/

/** Calls that no rule is offered for, one for each place and reason; `more` counts the others like it. */
export function groupRefused(refused: readonly Refused[]): readonly (Refused & { readonly more: string })[] {
  const groups = groupBy(refused, ({ call, why }) => {
    const place = HIDDEN.test(call) ? call.replace(HIDDEN, '$1') : call.replace(/[^/]*$/, '')
    return `${place}\n${why}`
  })
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, more: others.length === 0 ? '' : ` and ${others.length} more like it` }],
  )
}

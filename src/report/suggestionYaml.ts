import type { SuggestedRule } from '../contracts/suggestion.ts'
import { oneLine } from './words.ts'

const MAX_CALLS = 3

/** Rules as in a policy file, each after the calls that it comes from, ready to paste. */
export function suggestionYaml(rules: readonly SuggestedRule[]): string {
  const entries = rules.map((each) => `    # ${originOf(each)}\n    - ${JSON.stringify(each.rule)}\n`)
  return `permissions:\n  allow:\n${entries.join('')}`
}

/** The calls that a rule comes from, on one line. */
export function originOf({ from }: SuggestedRule): string {
  const shown = from.slice(0, MAX_CALLS).map((call) => oneLine(call, 100))
  const more = from.length > shown.length ? [`and ${from.length - shown.length} more`] : []
  return [...shown, ...more].join(', ')
}

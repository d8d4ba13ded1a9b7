import type { SuggestedRule } from '../contracts/suggestion.ts'
import { oneLine } from './words.ts'

const MAX_CALLS = 3

/** Rules as in a policy file, each after the calls that it comes from, ready to paste. */
export function suggestionYaml(rules: readonly SuggestedRule[]): string {
  const entries = rules.map((each) => `    # ${originOf(each)}\n    - ${JSON.stringify(each.rule)}\n`)
  return `permissions:\n  allow:\n${entries.join('')}`
}

/** The calls that a rule comes from, on one line. Long calls that look the same when they are cut are shown once. */
export function originOf({ from }: SuggestedRule): string {
  const lines = [...new Set(from.map((call) => oneLine(call, 100)))]
  const shown = lines.slice(0, MAX_CALLS)
  const more = lines.length > shown.length ? [`and ${lines.length - shown.length} more`] : []
  return [...shown, ...more].join(', ')
}

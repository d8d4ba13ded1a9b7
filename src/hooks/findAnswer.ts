import { isObject } from '../lib/isObject.ts'
import { parseJson } from '../lib/text/json.ts'

/** The output of a hook: a JSON answer, text without one, or a malformed answer. */
export type Printed =
  | { readonly kind: 'answer'; readonly json: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text' }
  | { readonly kind: 'unclear'; readonly detail: string }

/** The fields of an answer that decide. */
const DECISION_FIELDS = ['decision', 'continue', 'hookSpecificOutput', 'permissionDecision']
/** One of them as a key, in the quotes of JSON, of other languages or of JSON in a string. */
const DECISION_KEY = /[{,]\s*\\*["'](?:decision|continue|hookSpecificOutput|permissionDecision)\\*["']\s*:/

/**
 * The answer in a hook's output. It is the whole text, one line of it, or the text from one line to the end, because
 * many scripts print more than their answer. Something that looks like a decision but cannot be parsed is not ignored.
 * Pure.
 */
export function findAnswer(said: string): Printed {
  const whole = parseJson(said)
  if (isObject(whole)) return { kind: 'answer', json: whole }
  if (Array.isArray(whole) || whole === null) {
    return { kind: 'unclear', detail: `the answer is ${whole === null ? 'null' : 'an array'}, not an object` }
  }
  if (whole !== undefined && typeof whole !== 'string') return { kind: 'text' }
  const answers = answersIn(said)
  if (answers === 'too many')
    return { kind: 'unclear', detail: 'it printed a decision among too many beginnings of JSON' }
  const [only] = answers
  if (answers.length > 1) return { kind: 'unclear', detail: `it printed ${answers.length} answers` }
  if (isObject(only)) return { kind: 'answer', json: only }
  if (only !== undefined) return { kind: 'unclear', detail: 'the answer is an array, not an object' }
  if (said.startsWith('{')) return { kind: 'unclear', detail: 'the answer starts with { but is not JSON' }
  if (DECISION_KEY.test(said)) {
    return { kind: 'unclear', detail: 'it printed something that looks like a decision but is not JSON' }
  }
  return { kind: 'text' }
}

/** A line that can be the first of a longer JSON value, which `[12:00] a line of a log` cannot. */
const FIRST_LINE = /^\s*[{[]\s*(?:$|["{[]|(?:-?\d[\d.eE+-]*|true|false|null)\s*(?:,|$))/
/** The characters behind such lines that are read in all: each line can make the parser read to the end of the text. */
const MAX_CHARACTERS = 4_000_000

/** Of single lines, and of the text from a line to the end. */
function answersIn(said: string): unknown[] | 'too many' {
  const answers: unknown[] = []
  // A key may be spelled with escapes.
  const mayDecide = DECISION_KEY.test(said) || said.includes('\\u')
  let characters = 0
  let start = 0
  for (const line of said.split('\n')) {
    const at = start
    start += line.length + 1
    if (!/^\s*[{[]/.test(line)) continue
    const alone = /[}\]]\s*$/.test(line) ? parseJson(line) : undefined
    if (alone !== undefined) {
      if (decides(alone)) answers.push(alone)
      continue
    }
    if (!mayDecide || !FIRST_LINE.test(line)) continue
    characters += said.length - at
    if (characters > MAX_CHARACTERS) return 'too many'
    const rest = parseJson(said.slice(at))
    if (rest === undefined) continue
    if (decides(rest)) answers.push(rest)
    break
  }
  return answers
}

function decides(json: unknown): boolean {
  if (Array.isArray(json)) return json.some(decides)
  return isObject(json) && DECISION_FIELDS.some((field) => field in json)
}

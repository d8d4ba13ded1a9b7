import { isObject } from '../lib/isObject.ts'
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
  const whole = parse(said)
  if (isObject(whole)) return { kind: 'answer', json: whole }
  if (Array.isArray(whole) || whole === null) {
    return { kind: 'unclear', detail: `the answer is ${whole === null ? 'null' : 'an array'}, not an object` }
  }
  if (whole !== undefined && typeof whole !== 'string') return { kind: 'text' }
  const answers = answersIn(said.split('\n'))
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

/** Of single lines, and of the text from a line to the end. */
function answersIn(lines: readonly string[]): unknown[] {
  const answers: unknown[] = []
  for (const [index, line] of lines.entries()) {
    if (!/^\s*[{[]/.test(line)) continue
    const alone = parse(line)
    if (alone !== undefined) {
      if (decides(alone)) answers.push(alone)
      continue
    }
    const rest = parse(lines.slice(index).join('\n'))
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

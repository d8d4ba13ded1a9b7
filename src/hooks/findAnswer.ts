/** What a hook printed: an answer in JSON, text without one, or what keeps it from being either. */
export type Printed =
  | { readonly kind: 'answer'; readonly json: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text' }
  | { readonly kind: 'unclear'; readonly detail: string }

/** Fields by which an answer decides. */
const DECIDING = ['decision', 'continue', 'hookSpecificOutput', 'permissionDecision']
const SPELT = /"(?:decision|continue|hookSpecificOutput|permissionDecision)"\s*:/

/**
 * The answer in what a hook printed. It is the whole text, or one line of it, or what stands from a line to the end: many
 * scripts print more than their answer. Where something looks like a decision and cannot be read, it is not passed over.
 * Pure.
 */
export function findAnswer(said: string): Printed {
  const whole = parse(said)
  if (isObject(whole)) return { kind: 'answer', json: whole }
  if (Array.isArray(whole) || whole === null) {
    return { kind: 'unclear', detail: `the answer is ${whole === null ? 'null' : 'an array'}, not an object` }
  }
  if (whole !== undefined) return { kind: 'text' }
  const answers = answersIn(said.split('\n'))
  const [only] = answers
  if (answers.length > 1) return { kind: 'unclear', detail: `it printed ${answers.length} answers` }
  if (isObject(only)) return { kind: 'answer', json: only }
  if (only !== undefined) return { kind: 'unclear', detail: 'the answer is an array, not an object' }
  if (said.startsWith('{')) return { kind: 'unclear', detail: 'the answer starts with { but is not JSON' }
  if (/^\s*[{[]/m.test(said) && SPELT.test(said)) {
    return { kind: 'unclear', detail: 'it printed what looks like a decision but is not JSON' }
  }
  return { kind: 'text' }
}

/** Of single lines, and of what stands from a line to the end. */
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
  return isObject(json) && DECIDING.some((field) => field in json)
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * `syntax`: no rule at all · `family`: another tool's name covers it · `form`: well written, but nothing can match ·
 * `unknown`: no such tool · `absent`: a tool that is left out here on purpose.
 */
export type RuleProblem = {
  readonly kind: 'syntax' | 'family' | 'form' | 'unknown' | 'absent'
  readonly message: string
  /** The rule to write instead. */
  readonly edit?: string
}

/** Rules longer than this are refused. */
const MAX_RULE_LENGTH = 4_096

/** A rule's name and what stands in its parentheses. */
export type RuleParts = { readonly name: string; readonly specifier: string | undefined }

/** Takes a rule's text apart: any character inside the outer parentheses, `\(` and `\)` for those that do not pair. */
export function splitRule(source: string): RuleParts | RuleProblem {
  const text = source.trim()
  if (text === '') return { kind: 'syntax', message: 'the rule is empty' }
  if (text.length > MAX_RULE_LENGTH)
    return { kind: 'syntax', message: `the rule is longer than ${MAX_RULE_LENGTH} characters` }
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return { kind: 'syntax', message: 'the rule has a control character' }
  const open = text.indexOf('(')
  const name = open < 0 ? text : text.slice(0, open)
  if (!/^[A-Za-z_*][\w.*-]*$/.test(name)) {
    const edit = /^[A-Za-z_]\w*\s+\(/.test(text) ? text.replace(/\s+\(/, '(') : undefined
    return { kind: 'syntax', message: `${quoted(name)} is no tool name`, ...(edit === undefined ? {} : { edit }) }
  }
  if (open < 0) return { name, specifier: undefined }
  if (!text.endsWith(')') || isEscaped(text, text.length - 1)) {
    const message = 'the closing parenthesis must be the last character of the rule'
    return { kind: 'syntax', message, ...(text.includes(')') ? {} : { edit: `${text})` }) }
  }
  const problem = problemOfParentheses(text, open)
  if (problem) return problem
  const inner = text.slice(open + 1, -1)
  return { name, specifier: inner.includes('\\') ? inner.replace(/\\([()])/g, '$1') : inner }
}

/** A `)` that closes the rule before its end: one too many, a second rule, or one that is meant as it is. */
function problemOfParentheses(text: string, open: number): RuleProblem | undefined {
  if (text.indexOf(')') === text.length - 1) return undefined
  const closing = findClosing(text, open)
  if (closing === text.length - 1) return undefined
  const rest = text.slice(closing + 1)
  if (/^[\s)]*$/.test(rest)) {
    return { kind: 'syntax', message: 'it has a closing parenthesis too many', edit: text.slice(0, closing + 1) }
  }
  const next = /^[\s,;|&]+([A-Za-z_][\w.*-]*\(.*)$/s.exec(rest)?.[1]
  if (next !== undefined) {
    const edit = `${text.slice(0, closing + 1)} and ${next}`
    return { kind: 'syntax', message: 'these are two rules; write each as an entry of its own', edit }
  }
  const message = 'a `)` closes the rule before its end; write `\\)` for one that is meant'
  return { kind: 'syntax', message, edit: `${text.slice(0, closing)}\\)${rest}` }
}

/** Where the parenthesis closes that opens at `open`; the end where none does. */
function findClosing(text: string, open: number): number {
  let depth = 0
  for (let index = open; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\\') index += 1
    else if (character === '(') depth += 1
    else if (character === ')') {
      depth -= 1
      if (depth === 0) return index
    }
  }
  return text.length - 1
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0
  while (text[index - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

/** A name as a message shows it. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

import { cut } from '../../lib/text/words.ts'

/**
 * `syntax`: not a rule at all · `family`: another tool's name covers it · `form`: well-formed, but can never match ·
 * `unknown`: no such tool · `absent`: a tool that is left out here on purpose.
 */
export type RuleProblem = {
  readonly kind: 'syntax' | 'family' | 'form' | 'unknown' | 'absent'
  readonly message: string
  readonly edit?: string
}

const MAX_RULE_LENGTH = 4_096

type RuleParts = { readonly name: string; readonly specifier: string | undefined }

export function problem(kind: RuleProblem['kind'], message: string, edit?: string): RuleProblem {
  return { kind, message, ...(edit === undefined ? {} : { edit }) }
}

/** Splits a rule's text: any character inside the outer parentheses; `\(` and `\)` for unpaired ones. */
export function splitRule(source: string): RuleParts | RuleProblem {
  const text = source.trim()
  if (text === '') return problem('syntax', 'the rule is empty')
  if (text.length > MAX_RULE_LENGTH) return problem('syntax', `the rule is longer than ${MAX_RULE_LENGTH} characters`)
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return problem('syntax', 'the rule has a control character')
  const open = text.indexOf('(')
  const name = open < 0 ? text : text.slice(0, open)
  // Servers may have `/` in the names of their tools.
  if (!/^(?:[A-Za-z_*][\w.*-]*|mcp__[\w.*/-]+)$/.test(name)) {
    const edit = /^[A-Za-z_]\w*\s+\(/.test(text) ? text.replace(/\s+\(/, '(') : ruleMeant(text)
    return problem('syntax', `${quoted(name)} is not a tool name`, edit)
  }
  if (open < 0) return { name, specifier: undefined }
  if (!text.endsWith(')') || isEscaped(text, text.length - 1)) {
    const message = 'the closing parenthesis must be the last character of the rule'
    return problem('syntax', message, /\)|\($/.test(text) ? undefined : `${text})`)
  }
  const inner = text.slice(open + 1, -1)
  return problemOfParentheses(text, open) ?? { name, specifier: inner.replace(/\\([()])/g, '$1') }
}

/** The rule for a text that is a command or a path without its tool. */
function ruleMeant(text: string): string | undefined {
  if (/[()]/.test(text)) return undefined
  if (/^\.?[a-z][\w.-]*(?:\/[\w.-]+)*\s/.test(text)) return `Bash(${text})`
  return /^[\w.-]+\/\S*$/.test(text) ? `Edit(${text})` : undefined
}

/** A `)` that closes the rule before its end: a superfluous one, a second rule, or a literal one. */
function problemOfParentheses(text: string, open: number): RuleProblem | undefined {
  const closing = findClosing(text, open)
  if (closing === text.length - 1) return undefined
  const rest = text.slice(closing + 1)
  if (/^[\s)]*$/.test(rest))
    return problem('syntax', 'it has one closing parenthesis too many', text.slice(0, closing + 1))
  const next = /^[\s,;|&]+([A-Za-z_][\w.*-]*\(.*)/s.exec(rest)?.[1]
  if (next !== undefined) {
    const edit = `${text.slice(0, closing + 1)} and ${next}`
    return problem('syntax', 'these are two rules; write each as an entry of its own', edit)
  }
  const message = 'a `)` closes the rule before its end; write `\\)` for a literal one'
  return problem('syntax', message, `${text.slice(0, closing)}\\)${rest}`)
}

/** Where the parenthesis at `open` closes; the end if it does not. */
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

export function quoted(text: string): string {
  return JSON.stringify(cut(text, 80))
}

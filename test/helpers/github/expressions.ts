type Values = Readonly<Record<string, unknown>>

/** A text with the values of its `${{ … }}`. */
export function fill(text: string, values: Values): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_all, expression: string) => String(evaluate(expression, values) ?? ''))
}

/** A step goes on after a failure only where it says `always()`, or asks whether the run was cancelled. */
export function isTrue(text: string, values: Values, hasFailed: boolean): boolean {
  if (hasFailed && !/\b(?:always|cancelled)\(\)/.test(text)) return false
  return Boolean(evaluate(inside(text), values))
}

/** The expression between `${{` and `}}`; any other text as it is. */
export function inside(text: string): string {
  return text.replace(/^\$\{\{(.*)\}\}$/s, '$1')
}

/** GitHub's expressions as far as they are JavaScript: names with dots, strings in single quotes, `== != && || !`, calls. */
export function evaluate(expression: string, values: Values): unknown {
  const safe = expression.replace(/\.(\w[\w-]*)/g, '?.["$1"]')
  const all = { contains, startsWith, fromJSON: JSON.parse, ...values }
  return new Function(...Object.keys(all), `return (${safe})`)(...Object.values(all))
}

const lower = (text: unknown) => String(text ?? '').toLowerCase()
const contains = (text: unknown, part: string) => lower(text).includes(lower(part))
const startsWith = (text: unknown, part: string) => lower(text).startsWith(lower(part))

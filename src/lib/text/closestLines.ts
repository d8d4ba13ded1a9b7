import { withStraightQuotes } from './quoteStyle.ts'

const MAX_SHOWN_CHARS = 1500

/**
 * The lines that match `wanted`, or have it in them, except for white space and kinds of quotes: the number of the first line and the lines
 * as they are. Undefined if nothing is that close, or it is too long to show. Pure.
 */
export function closestLines(
  text: string,
  wanted: string,
): { readonly line: number; readonly lines: string } | undefined {
  const keys = wanted.split(/\r?\n/).map(keyOf)
  while (keys[0] === '') keys.shift()
  while (keys.at(-1) === '') keys.pop()
  if (keys.length === 0) return undefined
  const lines = text.split(/\r?\n/)
  const own = lines.map(keyOf)
  const whole = own.findIndex((_, start) => keys.every((key, index) => own[start + index] === key))
  const at = whole === -1 ? findPart(own, keys) : whole
  const found = lines.slice(at, at + keys.length).join('\n')
  return at === -1 || found.length > MAX_SHOWN_CHARS ? undefined : { line: at + 1, lines: found }
}

/** The shortest text that is looked for inside of a line: a shorter one is in many. */
const LEAST_PART = 4

/** The line where a text begins that may start and end inside of a line; -1 if there is none. */
function findPart(lines: readonly string[], keys: readonly string[]): number {
  const [only = ''] = keys
  if (keys.length === 1) return only.length < LEAST_PART ? -1 : lines.findIndex((line) => line.includes(only))
  return lines.findIndex((_, start) =>
    keys.every((key, index) => {
      const line = lines[start + index] ?? ''
      if (index === 0) return line.endsWith(key)
      return index === keys.length - 1 ? line.startsWith(key) : line === key
    }),
  )
}

/** A line without commonly confused characters. */
function keyOf(line: string): string {
  return withStraightQuotes(line).replace(/\s+/g, ' ').trim()
}

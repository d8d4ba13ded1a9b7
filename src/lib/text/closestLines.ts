import { withStraightQuotes } from './quoteStyle.ts'

const MAX_SHOWN_CHARS = 1500

/**
 * The lines that match `wanted` except for white space and kinds of quotes: the number of the first line and the lines
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
  const at = own.findIndex((_, start) => keys.every((key, index) => own[start + index] === key))
  const found = lines.slice(at, at + keys.length).join('\n')
  return at === -1 || found.length > MAX_SHOWN_CHARS ? undefined : { line: at + 1, lines: found }
}

/** A line without commonly confused characters. */
function keyOf(line: string): string {
  return withStraightQuotes(line).replace(/\s+/g, ' ').trim()
}

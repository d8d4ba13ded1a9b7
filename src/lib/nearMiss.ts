const MAX_SHOWN_CHARS = 1500

/**
 * What a text really has where `wanted` fits it but for blanks and kinds of quotes: the first line's number and the
 * lines as they stand. Undefined where nothing is so near, or where it is too long to be shown. Pure.
 */
export function nearMiss(text: string, wanted: string): { readonly line: number; readonly lines: string } | undefined {
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

/** A line without what is easily mistaken. */
function keyOf(line: string): string {
  return line
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The text in single quotes, which bash reads back unchanged. */
export function quoteWord(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`
}

/** The text as a person would type it: quoted only if necessary. */
export function spellWord(value: string): string {
  return isPlain(value) ? value : quoteWord(value)
}

/** True for text that no shell splits, expands or reads as an operator. */
export function isPlain(value: string): boolean {
  return /^[\w@%+:,./=-]+$/.test(value)
}

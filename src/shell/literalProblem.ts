/** Why unquoted text is more than text: braces and tildes that bash expands. */
export function literalProblem(text: string, word: string): string | undefined {
  if (text.includes('$\\\n')) return 'a `$` before a line continuation'
  const unquoted = text.replace(/\\[\s\S]/g, '')
  if (unquoted.includes('{') && (word.includes(',') || word.includes('..'))) return 'brace expansion'
  if (/[=:]~/.test(unquoted)) return 'a `~` that bash may expand'
  return undefined
}

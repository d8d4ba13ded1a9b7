import type { WordProblemKind } from '../../contracts/reason.ts'

/** Why unquoted text is more than literal text: braces and tildes that bash expands. */
export function literalProblem(text: string, word: string): WordProblemKind | undefined {
  if (text.includes('$\\\n')) return 'escape'
  const unquoted = text.replace(/\\[\s\S]/g, '')
  if (unquoted.includes('{') && (word.includes(',') || word.includes('..'))) return 'braces'
  if (/[=:]~/.test(unquoted) && /^[A-Za-z_]\w*\+?=/.test(word)) return 'tilde'
  return undefined
}

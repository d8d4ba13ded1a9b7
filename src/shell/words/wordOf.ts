import type { Word } from '../../contracts/subject.ts'

/** A part of a word. Literal text has no `emission`, because it is quoted. A variable of an unrolled loop has both. */
export type Piece =
  | { readonly kind: 'literal'; readonly value: string; readonly emission?: string }
  | { readonly kind: 'glob'; readonly value: string; readonly emission: string }
  | { readonly kind: 'dynamic' | 'many'; readonly emission: string; readonly prefix?: string; readonly isOutput?: true }

/** The word that the pieces form together. */
export function wordOf(pieces: readonly Piece[]): Word {
  const at = pieces.findIndex((piece) => piece.kind === 'dynamic' || piece.kind === 'many')
  const isGlob = pieces.some((piece) => piece.kind === 'glob')
  if (at < 0) {
    const value = pieces
      .map((piece) => (piece.kind === 'literal' && isGlob ? withoutWildcards(piece.value) : textOfPiece(piece)))
      .join('')
    return { kind: isGlob ? 'glob' : 'literal', value }
  }
  const first = pieces[at]
  const before = pieces.slice(0, at)
  const open = before.findIndex((piece) => piece.kind === 'glob')
  const start = (open < 0 ? before : before.slice(0, open)).map(textOfPiece).join('')
  const prefix = open < 0 ? start + (first?.kind === 'dynamic' ? (first.prefix ?? '') : '') : start
  const output = pieces.length === 1 && first && 'isOutput' in first ? { isOutput: true as const } : {}
  const isMany = isGlob || pieces.some((piece) => piece.kind === 'many')
  if (isMany) return { kind: 'many', ...(prefix === '' ? {} : { prefix }), ...output }
  const last = pieces.findLastIndex((piece) => piece.kind === 'dynamic')
  const suffix = pieces
    .slice(last + 1)
    .map(textOfPiece)
    .join('')
  return { kind: 'dynamic', ...(prefix === '' ? {} : { prefix }), ...(suffix === '' ? {} : { suffix }), ...output }
}

function textOfPiece(piece: Piece): string {
  return 'value' in piece ? piece.value : ''
}

/** A quoted character that looks like a wildcard may match any character. */
function withoutWildcards(text: string): string {
  return text.replace(/[*?[\]\\]/g, '?')
}

/** The text with which a word starts at run time. One that is split may start with anything. */
export function fixedStart(word: Word): string {
  if (word.kind === 'literal') return word.value
  if (word.kind === 'glob') return /^[^*?[]*/.exec(word.value)?.[0] ?? ''
  return (word.kind === 'dynamic' && word.prefix) || ''
}

/** The text with which all of these start. */
export function sharedStart([first = '', ...others]: readonly string[]): string {
  let { length } = first
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

import type { FoundFiles, Word } from '../contracts/subject.ts'
import { escapeGlob } from './fileOperand.ts'
import { oneOf } from './foundWords.ts'
import { UNCLEAR } from './speltWords.ts'

/** A part of a word. Literal text has no `emission` of its own: it is quoted. A variable of an unrolled loop has both. */
export type Piece =
  | { readonly kind: 'literal'; readonly value: string; readonly emission?: string }
  | { readonly kind: 'glob'; readonly value: string; readonly emission: string }
  | {
      readonly kind: 'dynamic'
      readonly emission: string
      readonly prefix?: string
      readonly patterns?: readonly string[]
      readonly found?: FoundFiles
    }

/** The word that the pieces make together. */
export function wordOf(pieces: readonly Piece[]): Word {
  const value = pieces.map((piece) => (piece.kind === 'dynamic' ? '**' : piece.value)).join('')
  const last = pieces.findLastIndex((piece) => piece.kind === 'dynamic')
  const after = literalOf(pieces.slice(last + 1))
  const unclear = pieces.some(isUnclear) ? { found: UNCLEAR } : {}
  if (pieces.some((piece) => piece.kind === 'glob')) {
    return { kind: 'glob', value: pieces.map(patternOf).join(''), ...unclear }
  }
  const at = pieces.findIndex((piece) => piece.kind === 'dynamic')
  if (at < 0) return { kind: 'literal', value }
  const before = literalOf(pieces.slice(0, at))
  const first = pieces[at]
  const found = first?.kind === 'dynamic' ? first.found : undefined
  if (found && pieces.length === 1) return oneOf(found)
  const { prefix: start = '', patterns = spelt(found) } = first?.kind === 'dynamic' ? first : {}
  const prefix = before + start
  const known = at === last ? patterns?.map((each) => `${escapeGlob(before)}${each}${escapeGlob(after)}`) : undefined
  return {
    kind: 'dynamic',
    ...(prefix === '' ? {} : { prefix }),
    ...(after === '' ? {} : { suffix: after }),
    ...(known === undefined ? {} : { patterns: known }),
    ...unclear,
  }
}

/** A word that a command of the line prints, or nothing. */
function spelt(found: FoundFiles | undefined): readonly string[] | undefined {
  const [start, ...others] = found?.isSpelt ? found.starts : []
  return start === undefined || others.length > 0 ? undefined : ['', escapeGlob(start)]
}

function isUnclear(piece: Piece): boolean {
  return piece.kind === 'dynamic' && piece.found?.isUnclear === true
}

/** A piece in a glob: what is quoted and would be read as a wildcard may be any character. */
function patternOf(piece: Piece): string {
  if (piece.kind === 'dynamic') return '**'
  return piece.kind === 'glob' ? piece.value : escapeGlob(piece.value)
}

function literalOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'literal' ? piece.value : '')).join('')
}

import type { Needle } from './secretForms.ts'

/** A part of a text, and the name of the secret in it. */
export type Span = { readonly start: number; readonly end: number; readonly name: string }

const PIECE = 12
const GRAM = 6
/** Every piece of 12 characters contains a whole 6-gram that starts at a multiple of 7. */
const STEP = PIECE - GRAM + 1
/** A piece of a few repeated characters (`------------`) is common in texts and not a secret. */
const FEWEST_SIGNS = 4

/** Which 6-grams there are, by their hash, and by their first two characters: nearly all texts fail that look. */
type Grams = { readonly table: Uint8Array; readonly starts: Uint8Array }

/**
 * Finds every piece of 12 characters of the needles in linear time: one probe of a bit table every seven characters,
 * and at most seven exact lookups after a hit.
 */
export function createPieceIndex(needles: readonly Needle[]): (text: string) => Span[] {
  const length = needles.reduce((sum, { text }) => sum + text.length, 0)
  const table = new Uint8Array(2 ** Math.min(22, Math.max(12, Math.ceil(Math.log2(length * 16)))))
  const grams = { table, starts: new Uint8Array(2 ** 14) }
  const names = new Map<string, string>()
  for (const needle of needles) indexNeedle(needle, names, grams)
  return names.size === 0 ? () => [] : (text) => findPieces(text, names, grams)
}

function indexNeedle({ name, text }: Needle, names: Map<string, string>, { table, starts }: Grams): void {
  let marked = 0
  for (let start = 0; start + PIECE <= text.length; start++) {
    const piece = text.slice(start, start + PIECE)
    if (names.has(piece) || !isVaried(piece)) continue
    names.set(piece, name)
    for (let at = Math.max(marked, start); at < start + STEP; at++) {
      table[gramHash(text, at) & (table.length - 1)] = 1
      starts[startHash(text, at)] = 1
    }
    marked = start + STEP
  }
}

function isVaried(piece: string): boolean {
  let seen = ''
  for (const sign of piece) {
    if (!seen.includes(sign)) seen += sign
    if (seen.length === FEWEST_SIGNS) return true
  }
  return false
}

function findPieces(text: string, names: ReadonlyMap<string, string>, { table, starts }: Grams): Span[] {
  const found: Span[] = []
  const mask = table.length - 1
  for (let probe = 0; probe + GRAM <= text.length; probe += STEP) {
    if (starts[startHash(text, probe)] === 0 || table[gramHash(text, probe) & mask] === 0) continue
    for (let start = Math.max(0, probe - STEP + 1); start <= probe; start++) {
      const name = names.get(text.slice(start, start + PIECE))
      if (name !== undefined) found.push({ start, end: start + PIECE, name })
    }
  }
  return found
}

function startHash(text: string, at: number): number {
  return (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 7)) & 0x3fff
}

function gramHash(text: string, at: number): number {
  let hash = 0
  for (let index = at; index < at + GRAM; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  return hash ^ (hash >>> 15)
}

/** The spans in order, merged if they overlap; the first name wins. Those that only touch stay apart: a stream may be cut there. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last && span.start < last.end) merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    else merged.push(span)
  }
  return merged
}

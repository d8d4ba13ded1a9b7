import type { FoundFiles, Word } from '../contracts/subject.ts'
import { escapeGlob } from './fileOperand.ts'
import { UNCLEAR } from './speltWords.ts'

const ANY_WORDS = { kind: 'glob', value: '**' } as const satisfies Word

/** Any number of the files, as xargs appends them: a word for each place where they lie; any words where nothing is known. */
export function manyOf(found: FoundFiles | undefined): readonly Word[] {
  if (found === undefined) return [ANY_WORDS]
  if (found.isUnclear) return [{ ...ANY_WORDS, found }]
  return found.starts.map((start) => {
    const value =
      found.isBare || found.isTorn ? '**' : found.isSpelt ? `${escapeGlob(start)}**` : `${escapeGlob(start)}/**`
    return { kind: 'glob', value, found: { ...found, starts: [start] } }
  })
}

/** One of the files; of several words that come as one text nothing is known. */
export function oneOf(found: FoundFiles): Word {
  if (found.isUnclear || found.isTorn) return { kind: 'dynamic', found }
  if (found.isSpelt && found.starts.length > 1) return { kind: 'dynamic' }
  const [first = '', ...others] = found.isBare ? [] : found.starts
  const prefix = others.every((each) => each === first) ? first : ''
  return { kind: 'dynamic', ...(prefix === '' ? {} : { prefix }), patterns: patternsOf(found), found }
}

/** One of the files, or anything where nothing is known, between the literal texts of a word. */
export function partly(texts: readonly string[], found: FoundFiles | undefined): Word {
  const [prefix = '', ...others] = texts
  const suffix = others.at(-1) ?? ''
  if (prefix === '' && suffix === '' && others.length === 1) return found ? oneOf(found) : { kind: 'dynamic' }
  const isKnown = found?.isSpelt && others.length === 1
  const patterns = isKnown
    ? { patterns: found.starts.map((start) => [prefix, start, suffix].map(escapeGlob).join('')) }
    : {}
  const unclear = !isKnown && (found?.isSpelt || found?.isUnclear) ? { found: UNCLEAR } : {}
  const ends = { ...(prefix === '' ? {} : { prefix }), ...(suffix === '' ? {} : { suffix }) }
  return { kind: 'dynamic', ...ends, ...patterns, ...unclear }
}

/** A file, or all that lies in a folder, which is shown by its names. */
export function compared(word: Word): Word {
  if (word.kind !== 'literal' || word.value === '-' || word.value === '') return word
  return { kind: 'dynamic', found: { starts: [word.value], isPicked: true } }
}

function patternsOf({ starts, isSpelt }: FoundFiles): readonly string[] {
  if (isSpelt) return starts.map(escapeGlob)
  return starts.flatMap((start) => [escapeGlob(start), `${escapeGlob(start)}/**`])
}

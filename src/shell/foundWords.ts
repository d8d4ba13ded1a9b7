import type { FoundFiles, Word } from '../contracts/subject.ts'
import { escapeGlob } from './fileOperand.ts'

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

function patternsOf({ starts, isSpelt }: FoundFiles): readonly string[] {
  if (isSpelt) return starts.map(escapeGlob)
  return starts.flatMap((start) => [escapeGlob(start), `${escapeGlob(start)}/**`])
}

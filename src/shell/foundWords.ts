import type { FoundFiles, Word } from '../contracts/subject.ts'
import { escapeGlob } from './fileOperand.ts'

const ANY_WORDS: Word = { kind: 'glob', value: '**' }

/** Any number of the files, as xargs appends them: a word for each place where they lie; any words where nothing is known. */
export function manyOf(found: FoundFiles | undefined): readonly Word[] {
  if (found === undefined) return [ANY_WORDS]
  return found.starts.map((start) => {
    const value = found.isBare ? '**' : `${escapeGlob(start)}/**`
    return { kind: 'glob', value, found: { ...found, starts: [start] } }
  })
}

/** One of the files. */
export function oneOf(found: FoundFiles): Word {
  const [first = '', ...others] = found.isBare ? [] : found.starts
  const prefix = others.every((each) => each === first) ? first : ''
  return { kind: 'dynamic', ...(prefix === '' ? {} : { prefix }), patterns: patternsOf(found), found }
}

function patternsOf({ starts }: FoundFiles): readonly string[] {
  return starts.flatMap((start) => [escapeGlob(start), `${escapeGlob(start)}/**`])
}

import type { Word } from '../../contracts/subject.ts'

export function literalWord(value: string): Word {
  return { kind: 'literal', value }
}

/** The literal text of a word, or the empty text if it is unknown until run time. */
export function textOf(word: Word | undefined): string {
  return word?.kind === 'literal' ? word.value : ''
}

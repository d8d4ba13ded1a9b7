import type { Word } from '../../contracts/subject.ts'

export function literalWord(value: string): Word {
  return { kind: 'literal', value }
}

/** What is known of the start of a word; of a pattern, all of it. */
export function startOf(word: Word | undefined): string {
  if (word === undefined) return ''
  return word.kind === 'dynamic' || word.kind === 'many' ? (word.prefix ?? '') : word.value
}

/** The literal text of a word, or the empty text if it is unknown until run time. */
export function textOf(word: Word | undefined): string {
  return word?.kind === 'literal' ? word.value : ''
}

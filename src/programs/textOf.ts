import type { Word } from '../contracts/subject.ts'

/** The text of a word that is known before it runs, else the empty text. */
export function textOf(word: Word | undefined): string {
  return word?.kind === 'literal' ? word.value : ''
}

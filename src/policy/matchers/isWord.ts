import type { Word } from '../../contracts/subject.ts'

/** Whether a word of a command equals the text, as written or as the command gets it. */
export function isWord(text: string, word: Word | undefined): boolean {
  if (word === undefined || word.kind === 'dynamic' || word.kind === 'many') return false
  return word.value === text || (word.kind === 'literal' && word.written === text)
}

import type { Word } from '../contracts/subject.ts'

/** A word that means itself. */
export function literalWord(value: string): Word {
  return { kind: 'literal', value }
}

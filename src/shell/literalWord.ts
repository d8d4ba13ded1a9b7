import type { Word } from '../contracts/subject.ts'

/** A word that is known before it runs. */
export function literalWord(value: string): Word {
  return { kind: 'literal', value }
}

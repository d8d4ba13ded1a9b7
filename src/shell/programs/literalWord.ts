import type { Word } from '../../contracts/subject.ts'

/** A literal word. */
export function literalWord(value: string): Word {
  return { kind: 'literal', value }
}

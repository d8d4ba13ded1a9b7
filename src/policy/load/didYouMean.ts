import { nearest } from '../../lib/text/nearest.ts'

/** ` (did you mean "x"?)` if a candidate is similar, otherwise empty. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word.slice(0, 100), candidates)
  return found === undefined ? '' : ` (did you mean "${found}"?)`
}

import { nearest } from '../lib/nearest.ts'

/** ` (did you mean "x"?)` where a candidate is near, otherwise nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word.slice(0, 100), candidates)
  return found === undefined ? '' : ` (did you mean "${found}"?)`
}

import { isStarMatch } from './isStarMatch.ts'

/**
 * True if `text` matches a pattern where `*` stands for any text. Linear in each star; no other character is special.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  return isStarMatch(pattern.split('*'), text)
}

import { isStarMatch } from '../../lib/text/matchesGlob.ts'
import type { PlaceToken } from './parseCommandPattern.ts'

/** With more words than this, a star that may match several words is not tried. */
const MAX_WORDS = 256

/**
 * Whether the words match a rule with a star below a folder. That star matches one or more such places; any other star
 * matches any words. Every word is checked once for each token.
 */
export function matchesPlaces(tokens: readonly PlaceToken[], words: readonly string[], isOpen: boolean): boolean {
  if (words.length > MAX_WORDS && tokens.some(({ kind }) => kind === 'free')) return false
  const reached = Array.from({ length: words.length + 1 }, () => new Set<number>())
  reached[0]?.add(0)
  for (const [index, states] of reached.entries()) {
    if (states.has(tokens.length) && (isOpen || index === words.length)) return true
    for (const state of states) for (const [end, next] of steps(tokens, words, state, index)) reached[end]?.add(next)
  }
  return false
}

/** Where one token may end, and which one follows. */
function* steps(
  tokens: readonly PlaceToken[],
  words: readonly string[],
  state: number,
  index: number,
): Generator<readonly [end: number, next: number]> {
  const token = tokens[state]
  if (token === undefined) return
  const last = token.kind === 'free' ? words.length : Math.min(index + 1, words.length)
  for (let end = index + 1; end <= last; end += 1) {
    if (!isStarMatch(token.segments, words.slice(index, end).join('\0'))) continue
    yield [end, state + 1]
    if (token.kind === 'place') yield [end, state]
  }
}

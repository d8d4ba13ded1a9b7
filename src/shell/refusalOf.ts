import type { Reason } from '../contracts/reason.ts'

/** Longer lines are not judged; an agent that needs them writes a file. */
const MAX_LENGTH = 10_000

/** Why a line is not judged at all; undefined where it can be. */
export function refusalOf(text: string): Reason | undefined {
  if (text.trim() === '') return { code: 'emptyLine' }
  if (text.length > MAX_LENGTH) return { code: 'longLine', most: MAX_LENGTH }
  if (/[^\P{Cc}\t\n]/u.test(text)) return { code: 'controlCharacter' }
  if (/\p{Cs}/u.test(text)) return { code: 'brokenUnicode' }
  // Bash takes the mark for a part of the word, a parser may take it for a comment.
  if (/[<>]\(/.test(text) && /\)#/.test(text)) return { code: 'hashAfterParenthesis' }
  return undefined
}

import type { Reason } from '../contracts/reason.ts'

/** Longer lines are not judged; an agent that needs one writes a script file. */
const MAX_LENGTH = 10_000

/** Why a line is not judged at all; undefined if it can be. */
export function refusalOf(text: string): Reason | undefined {
  if (text.trim() === '') return { code: 'emptyLine' }
  if (text.length > MAX_LENGTH) return { code: 'longLine', most: MAX_LENGTH }
  if (/[^\P{Cc}\t\n]/u.test(text)) return { code: 'controlCharacter' }
  if (/\p{Cs}/u.test(text)) return { code: 'brokenUnicode' }
  // Bash reads the `#` as part of the word; a parser may read it as a comment.
  if (/[<>]\(/.test(text) && /\)#/.test(text)) return { code: 'hashAfterParenthesis' }
  return undefined
}

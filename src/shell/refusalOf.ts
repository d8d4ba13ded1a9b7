/** Longer lines are not judged; an agent that needs them writes a file. */
export const MAX_LENGTH = 10_000

/** Why a line is not judged at all; undefined where it can be. */
export function refusalOf(text: string): string | undefined {
  if (text.trim() === '') return 'the command is empty'
  if (text.length > MAX_LENGTH) return `the command is longer than ${MAX_LENGTH} characters`
  if (/[^\P{Cc}\t\n]/u.test(text)) return 'the command has a control character'
  if (/\p{Cs}/u.test(text)) return 'the command is not valid Unicode'
  // Bash takes the mark for a part of the word, a parser may take it for a comment.
  if (/[<>]\(/.test(text) && /\)#/.test(text)) return 'a `#` stands close behind a parenthesis; put a space between'
  return undefined
}

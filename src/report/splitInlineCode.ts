/** A piece of a sentence: words, or the text between two backticks. */
export type SentencePart = { readonly text: string; readonly isCode: boolean }

/** Splits one of our sentences at its backticks; an unpaired one stays. Pure. */
export function splitInlineCode(sentence: string): readonly SentencePart[] {
  return sentence
    .split(/(`[^`]+`)/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const isCode = piece.length > 2 && piece.startsWith('`') && piece.endsWith('`')
      return { text: isCode ? piece.slice(1, -1) : piece, isCode }
    })
}

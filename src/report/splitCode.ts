/** A piece of a sentence: words, or what stood between two backticks. */
export type SentencePart = { readonly text: string; readonly isCode: boolean }

/** A sentence of ours, parted at its backticks; one without a partner stays as it is. Pure. */
export function splitCode(sentence: string): readonly SentencePart[] {
  return sentence
    .split(/(`[^`]+`)/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const isCode = piece.length > 2 && piece.startsWith('`') && piece.endsWith('`')
      return { text: isCode ? piece.slice(1, -1) : piece, isCode }
    })
}

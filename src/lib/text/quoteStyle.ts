const SINGLE = /[‘’‚‛]/g
const DOUBLE = /[“”„‟]/g

/** The text with straight quotes in place of curly ones; every offset stays the same. */
export function withStraightQuotes(text: string): string {
  return text.replace(SINGLE, "'").replace(DOUBLE, '"')
}

/**
 * The new text in the quote style of the piece that it replaces: straight quotes become curly if the piece has curly
 * quotes of that kind. A quote opens at the start of the text, after white space and after a bracket. Anywhere else it
 * closes or is an apostrophe.
 */
export function withQuotesOf(text: string, piece: string): string {
  const doubled = piece.search(DOUBLE) === -1 ? text : curl(text, '"', ['“', '”'])
  return piece.search(SINGLE) === -1 ? doubled : curl(doubled, "'", ['‘', '’'])
}

function curl(text: string, straight: string, [opening, closing]: readonly [string, string]): string {
  return text.replaceAll(straight, (_, at: number) =>
    /^$|[\s([{«“‘—–-]/.test(text.charAt(at - 1)) ? opening : closing,
  )
}

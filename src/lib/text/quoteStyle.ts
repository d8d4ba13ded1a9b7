const SINGLE = /[‘’‚‛]/g
const DOUBLE = /[“”„‟]/g

/** The text with straight quotes for curly ones; every character keeps its place. */
export function withStraightQuotes(text: string): string {
  return text.replace(SINGLE, "'").replace(DOUBLE, '"')
}

/**
 * A new text in the quotes of the piece that it replaces: straight ones become curly where that has curly ones of the kind.
 * A quote opens at a start and behind a blank or a bracket, and closes or is an apostrophe elsewhere.
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

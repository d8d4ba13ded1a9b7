/** One replacement. Line ends in both texts may be written as `\n`, whatever the file has. */
export type TextEdit = { readonly oldText: string; readonly newText: string; readonly isAll: boolean }

/** `text` is undefined if the edit does not apply: `matches` is 0, or more than 1 without `replace_all`. */
export type Replacement = { readonly text: string | undefined; readonly matches: number }

/**
 * Replaces one exact piece of a text, or all of them. Everything around a match keeps its bytes; new lines get the line
 * ends of their surroundings. If nothing matches exactly, straight quotes match curly ones, and the file keeps its own
 * kind.
 */
export function replaceText(text: string, edit: TextEdit): Replacement {
  const haystack = withoutCarriageReturns(text)
  const wanted = withoutCarriageReturns(edit.oldText)
  const exact = findAll(haystack, wanted, edit.isAll)
  const isExact = exact.length > 0
  const starts = isExact ? exact : findAll(withStraightQuotes(haystack), withStraightQuotes(wanted), edit.isAll)
  if (starts.length === 0 || (starts.length > 1 && !edit.isAll)) return { text: undefined, matches: starts.length }
  const toRaw = rawOffsets(text)
  const pieces: string[] = []
  let end = 0
  for (const start of starts) {
    const from = toRaw(start)
    const to = toRaw(start + wanted.length)
    const fresh = isExact ? edit.newText : withQuotesOf(edit.newText, text.slice(from, to))
    pieces.push(text.slice(end, from), withLineEnd(fresh, lineEndAt(text, from, to)))
    end = to
  }
  return { text: pieces.join('') + text.slice(end), matches: starts.length }
}

/** The line end that most lines of a text have. */
export function mainLineEnd(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1
  const windows = text.split('\r\n').length - 1
  return windows > all / 2 ? '\r\n' : '\n'
}

/** The text with every line end written as `lineEnd`. */
export function withLineEnd(text: string, lineEnd: '\n' | '\r\n'): string {
  return withoutCarriageReturns(text).replaceAll('\n', lineEnd)
}

function withoutCarriageReturns(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Non-overlapping matches if all are replaced; overlapping ones too if the match must be unique. */
function findAll(text: string, wanted: string, isAll: boolean): readonly number[] {
  const starts: number[] = []
  if (wanted === '') return starts
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + (isAll ? wanted.length : 1))) {
    starts.push(at)
  }
  return starts
}

/** Maps rising offsets in the text without carriage returns to offsets in the text itself. */
function rawOffsets(text: string): (offset: number) => number {
  let skipped = 0
  let next = text.indexOf('\r\n')
  return (offset) => {
    while (next !== -1 && next - skipped < offset) {
      skipped += 1
      next = text.indexOf('\r\n', next + 2)
    }
    return offset + skipped
  }
}

/** The first line end in the piece, else the next after it, else the last before it. */
function lineEndAt(text: string, from: number, to: number): '\n' | '\r\n' {
  let at = text.indexOf('\n', from)
  if (at === -1 || at > to) at = text.indexOf('\n', to)
  if (at === -1) at = text.lastIndexOf('\n', from)
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}

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
function withQuotesOf(text: string, piece: string): string {
  const doubled = piece.search(DOUBLE) === -1 ? text : curl(text, '"', ['“', '”'])
  return piece.search(SINGLE) === -1 ? doubled : curl(doubled, "'", ['‘', '’'])
}

function curl(text: string, straight: string, [opening, closing]: readonly [string, string]): string {
  return text.replaceAll(straight, (_, at: number) =>
    /^$|[\s([{«“‘—–-]/.test(text.charAt(at - 1)) ? opening : closing,
  )
}

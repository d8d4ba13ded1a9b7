/** A search, for either engine. None gives a file that `mayRead` or the guard refuses, nor a line of one. */
export type SearchQuery = {
  readonly pattern: string
  /** Absolute, resolved: a folder or a file. */
  readonly base: string
  readonly isFile: boolean
  readonly globs: readonly string[]
  readonly type: string | undefined
  readonly isCaseIgnored: boolean
  readonly isMultiline: boolean
  /** Show only the matching parts of a line. */
  readonly isOnlyMatching: boolean
  readonly mode: 'content' | 'files_with_matches' | 'count'
  readonly hasNumbers: boolean
  readonly before: number
  readonly after: number
  /** Stop after this many files, or lines in `content`. */
  readonly enough: number
}

/** `number` is missing if the line was too long to read completely. */
export type HitLine = { readonly number?: number; readonly text: string; readonly isMatch: boolean }

/** A file with matches, in the order of paths. `lines` only in `content`, `count` (of lines) only in `count`. */
export type FileHits = { readonly path: string; readonly count: number; readonly lines: readonly HitLine[] }

/** Lines longer than this are cut; minified files have lines of megabytes. */
export const MAX_LINE_CHARS = 500
/** What is shown before a match that lies beyond that. */
const CHARS_BEFORE = 100

/** A line without its line end, cut to the limit; the part with `matched` where that is known. */
export function hitLine(number: number, text: string, isMatch: boolean, matched = ''): HitLine {
  const line = text.replace(/\r$/, '')
  return { number, text: line.length > MAX_LINE_CHARS ? partOf(line, matched) : line, isMatch }
}

function partOf(line: string, matched: string): string {
  const [part = ''] = matched.split('\n')
  const at = line.indexOf(part)
  const start = at + part.length > MAX_LINE_CHARS ? at - CHARS_BEFORE : 0
  const shown = line.slice(start, start + MAX_LINE_CHARS).toWellFormed()
  return `${start > 0 ? '[…] ' : ''}${shown}${start + MAX_LINE_CHARS < line.length ? ' […]' : ''}`
}

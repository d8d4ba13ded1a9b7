import type { FileHits, HitLine, SearchQuery } from './SearchQuery.ts'

export type HitFormat = {
  readonly mode: SearchQuery['mode']
  readonly hasNumbers: boolean
  /** Separates groups of lines, as grep does with -A, -B and -C. */
  readonly hasContext: boolean
  show(path: string): string
  readonly range: { readonly start: number; readonly limit: number }
}

/** The lines that grep would print, from `start` on and at most `limit` of them. Pure. */
export function formatHits(
  hits: readonly FileHits[],
  format: HitFormat,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const { start, limit } = format.range
  const all = hits.flatMap((file, index) => formatFile(file, format, index > 0))
  return { lines: all.slice(start, start + limit), isCut: all.length > start + limit }
}

function formatFile({ path, count, lines }: FileHits, format: HitFormat, isFollowing: boolean): readonly string[] {
  const name = format.show(path)
  if (format.mode === 'files_with_matches') return [name]
  if (format.mode === 'count') return [`${name}:${count}`]
  return lines.flatMap((line, index) => {
    const before = lines[index - 1]
    const isGroup = before ? !isNext(before, line) : isFollowing
    return [...(isGroup && format.hasContext ? ['--'] : []), formatLine(name, line, format.hasNumbers)]
  })
}

function isNext(before: HitLine, { number }: HitLine): boolean {
  return number !== undefined && before.number !== undefined && number <= before.number + 1
}

function formatLine(name: string, { number, text, isMatch }: HitLine, hasNumbers: boolean): string {
  const mark = isMatch ? ':' : '-'
  return `${name}${mark}${hasNumbers && number !== undefined ? `${number}${mark}` : ''}${text}`
}

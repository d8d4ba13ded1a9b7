import * as z from 'zod'
import { type HitLine, hitLine } from './SearchQuery.ts'

const text = z.union([
  z.object({ text: z.string() }).transform((value) => value.text),
  z.object({ bytes: z.string() }).transform((value) => Buffer.from(value.bytes, 'base64').toString('latin1')),
])
const eventSchema = z.object({
  type: z.enum(['match', 'context']),
  data: z.object({
    path: text,
    lines: text,
    line_number: z.number(),
    submatches: z.array(z.object({ match: text })).default([]),
  }),
})

type LinesOfFile = { readonly path: string; readonly lines: readonly HitLine[] }

/** A longer message of ripgrep contains a huge line; only its beginning is read. */
export const MAX_RECORD_CHARS = 1_000_000

/** The lines of one message of `rg --json`; undefined for the messages without lines. Source: grep_printer, JSON. */
export function parseEvent(record: string, isOnlyMatching = false): LinesOfFile | undefined {
  if (record.length > MAX_RECORD_CHARS) return longLine(record)
  const parsed = eventSchema.safeParse(JSON.parse(record))
  if (!parsed.success) return undefined
  const { path, lines, line_number } = parsed.data.data
  const { submatches } = parsed.data.data
  const [first] = submatches
  const isMatch = parsed.data.type === 'match'
  if (isOnlyMatching && isMatch) {
    return { path, lines: submatches.map(({ match }) => hitLine(line_number, match.replace(/\n$/, ''), true)) }
  }
  const shown = lines.replace(/\n$/, '').split('\n')
  return { path, lines: shown.map((line, index) => hitLine(line_number + index, line, isMatch, first?.match)) }
}

/** Reports a match in a line that is too long to show. */
function longLine(record: string): LinesOfFile | undefined {
  const [, path] =
    /^\{"type":"match","data":\{"path":\{"text":("(?:[^"\\]|\\.)*")\}/.exec(record.slice(0, 20_000)) ?? []
  if (path === undefined) return undefined
  return {
    path: text.parse({ text: JSON.parse(path) }),
    lines: [{ text: '[a very long line matches]', isMatch: true }],
  }
}

import * as z from 'zod'
import { type HitLine, hitLine } from './SearchQuery.ts'

const text = z.union([
  z.object({ text: z.string() }).transform((value) => value.text),
  z.object({ bytes: z.string() }).transform((value) => Buffer.from(value.bytes, 'base64').toString('latin1')),
])
const eventSchema = z.object({
  type: z.enum(['match', 'context']),
  data: z.object({ path: text, lines: text, line_number: z.number() }),
})

/** The lines of one message of `rg --json`; undefined for the messages without lines. Source: grep_printer, JSON. */
export function parseEvent(record: string): { readonly path: string; readonly lines: readonly HitLine[] } | undefined {
  const parsed = eventSchema.safeParse(JSON.parse(record))
  if (!parsed.success) return undefined
  const { path, lines, line_number } = parsed.data.data
  const isMatch = parsed.data.type === 'match'
  const shown = lines.replace(/\n$/, '').split('\n')
  return { path, lines: shown.map((line, index) => hitLine(line_number + index, line, isMatch)) }
}

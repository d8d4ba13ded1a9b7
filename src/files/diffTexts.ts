import * as z from 'zod'
import { codeFence } from '../lib/text/words.ts'

/** One stretch of changed lines with three lines around it, as in a unified diff. */
export const hunkSchema = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()).readonly(),
})

type Hunk = Readonly<z.infer<typeof hunkSchema>>

/** `hunks` is undefined if the texts differ too much to be compared in time. */
export type TextDiff = { readonly hunks: readonly Hunk[] | undefined; readonly added: number; readonly removed: number }

const TIMEOUT_MS = 500
const CONTEXT = 3
const MAX_RENDERED_LINES = 200

/** The limit, for memory, on the characters between the first and the last difference. */
const MAX_CHARS = 2_000_000

/** The line diff of two texts. Bounded: after half a second, or with too many differences, it says so instead. */
export async function diffTexts(before: string, after: string): Promise<TextDiff> {
  const { start, beforeEnd, afterEnd, lineCount } = middleOf(before, after)
  const [old, fresh] = [before.slice(start, beforeEnd), after.slice(start, afterEnd)]
  const whole = { hunks: undefined, added: countLines(after), removed: countLines(before) }
  if (old.length + fresh.length > MAX_CHARS) return whole
  const { structuredPatch } = await import('diff')
  const patch = structuredPatch('', '', old, fresh, undefined, undefined, { context: CONTEXT, timeout: TIMEOUT_MS })
  if (!patch) return whole
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + lineCount,
    newStart: hunk.newStart + lineCount,
  }))
  const lines = hunks.flatMap((hunk) => hunk.lines)
  return {
    hunks,
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  }
}

/** The lines that differ, with the context of a hunk and a line more. `lineCount`: the lines before `start`. */
function middleOf(before: string, after: string) {
  const shorter = Math.min(before.length, after.length)
  let same = 0
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++
  let above = same
  for (let lines = 0; lines <= CONTEXT + 1 && above >= 0; lines++) {
    above = above === 0 ? -1 : before.lastIndexOf('\n', above - 1)
  }
  const start = above + 1
  let tail = 0
  const most = shorter - same
  while (tail < most && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail))
    tail++
  let end = before.length - tail
  for (let lines = 0; lines <= CONTEXT + 1 && end < before.length; lines++) {
    const next = before.indexOf('\n', end)
    end = next === -1 ? before.length : next + 1
  }
  const lineCount = countLines(before.slice(0, start))
  return { start, beforeEnd: end, afterEnd: after.length - (before.length - end), lineCount }
}

/** The diff as a Markdown code block; long ones are cut. */
export function renderDiff({ hunks, added, removed }: TextDiff): string {
  if (!hunks) return `rewritten (${removed} lines before, ${added} now)`
  const lines = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines])
  if (lines.length === 0) return 'no line differs'
  const rest = lines.length - MAX_RENDERED_LINES
  const shown = lines.slice(0, MAX_RENDERED_LINES).join('\n')
  return codeFence(rest > 0 ? `${shown}\n… ${rest} more lines` : shown, 'diff')
}

/** The number of lines in a text; a last line without a line end counts. */
function countLines(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

/** `@@ -1,2 +1,3 @@`. */
export function headOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
}

import { codeFence } from './codeFence.ts'

/** One stretch of changed lines with three lines around it, as in a unified diff. */
export type Hunk = {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

/** `hunks` is undefined where the texts differ too much to be compared in time. */
export type TextDiff = { readonly hunks: readonly Hunk[] | undefined; readonly added: number; readonly removed: number }

const TIMEOUT_MS = 500
const MAX_RENDERED_LINES = 200

/** The line diff of two texts. Bounded: after half a second it says so instead. */
export async function diffTexts(before: string, after: string): Promise<TextDiff> {
  const { structuredPatch } = await import('diff')
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, timeout: TIMEOUT_MS })
  if (!patch) return { hunks: undefined, added: countLines(after), removed: countLines(before) }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  return {
    hunks: patch.hunks,
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  }
}

/** The diff as a Markdown code block; long ones are cut. */
export function renderDiff({ hunks, added, removed }: TextDiff): string {
  if (!hunks) return `rewritten (${removed} lines before, ${added} now)`
  const lines = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines])
  const rest = lines.length - MAX_RENDERED_LINES
  const shown = lines.slice(0, MAX_RENDERED_LINES).join('\n')
  return codeFence(rest > 0 ? `${shown}\n… ${rest} more lines` : shown, 'diff')
}

/** How many lines a text has; a last line without its end counts too. */
function countLines(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

function headOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
}

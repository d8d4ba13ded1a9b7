import { literal } from './markdownText.ts'
import type { RunReport } from './runReport.ts'
import { summarySections } from './summarySections.ts'

/** GitHub drops a step's whole summary above 1,048,576 bytes (runner, `FileCommandManager.cs`). */
export const LARGEST_SUMMARY = 1_000_000

export type SummaryOptions = {
  /** Bytes that may be used; less than `LARGEST_SUMMARY` where the file holds something already. */
  readonly maxBytes?: number
  /** Where the whole record can be found, in words: a path, the name of an artifact. */
  readonly recordPlace?: string
}

/**
 * The run for people, as Markdown: the verdict first, then what changed, denials with rule and fix, checks, cost, and
 * the tool calls folded away. Never longer than `maxBytes`, cut between sections or rows; untrusted text shows as text.
 */
export function renderSummary(report: RunReport, options: SummaryOptions = {}): string {
  return fitSections(summarySections(report, options), options)
}

/** The sections, as many as fit; where they do not, a last line says so. */
export function fitSections(sections: readonly SummarySection[], options: SummaryOptions): string {
  const { maxBytes = LARGEST_SUMMARY, recordPlace = 'the transcript' } = options
  const cut = `\n_Cut here for length; the whole record: ${literal(recordPlace)}._\n`
  let left = maxBytes - Buffer.byteLength(cut)
  let out = ''
  for (const section of sections) {
    const { text, isCut } = fitSection(section, left)
    out += text
    left -= Buffer.byteLength(text)
    if (isCut) return out + (left < 0 ? '' : cut)
  }
  return out
}

/** Lines that belong together; `rows` may be left out from the end, `head` and `foot` only with all of them. */
export type SummarySection = { readonly head: string; readonly rows: readonly string[]; readonly foot: string }

function fitSection({ head, rows, foot }: SummarySection, left: number): { text: string; isCut: boolean } {
  let room = left - Buffer.byteLength(head) - Buffer.byteLength(foot)
  if (room < 0) return { text: '', isCut: true }
  let text = head
  for (const row of rows) {
    room -= Buffer.byteLength(row)
    if (room < 0) return { text: text + foot, isCut: true }
    text += row
  }
  return { text: text + foot, isCut: false }
}

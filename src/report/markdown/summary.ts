import type { RunReport } from '../fold/runReport.ts'
import { literal } from './markdownText.ts'
import { summarySections } from './summarySections.ts'

/** GitHub drops a step's whole summary above 1,048,576 bytes (runner, `FileCommandManager.cs`). */
export const LARGEST_SUMMARY = 1_000_000

export type SummaryOptions = {
  /** The bytes available; less than `LARGEST_SUMMARY` if the file already has content. */
  readonly maxBytes?: number
  /** Where to find the whole record, in words: a path, the name of an artifact. */
  readonly recordPlace?: string
}

/**
 * The run for people, as Markdown: the verdict first, then changes, denials with rule and fix, checks, cost, and the
 * folded tool calls. Never longer than `maxBytes`, cut between sections or rows. Untrusted text is shown as text.
 */
export function renderSummary(report: RunReport, options: SummaryOptions = {}): string {
  return fitSections(summarySections(report, options), options)
}

/** As many sections as fit; if some do not, a last line says so. */
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

/** Lines that belong together. `rows` may be cut from the end; `head` and `foot` only together with all rows. */
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

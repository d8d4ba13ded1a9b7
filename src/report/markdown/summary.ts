import { formatNumber } from '../../lib/text/words.ts'
import type { RunReport } from '../fold/runReport.ts'
import { literal } from './markdownText.ts'
import type { SummarySection } from './SummarySection.ts'
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

/** A person reads a screen; the record has the rest. */
export const MAX_ROWS = 30

function fitSection({ head, rows, foot, isFolded }: SummarySection, left: number): { text: string; isCut: boolean } {
  const more = isFolded === true ? 0 : rows.length - MAX_ROWS
  const end = more > 0 ? `\n… and ${formatNumber(more)} more\n${foot}` : foot
  let room = left - Buffer.byteLength(head) - Buffer.byteLength(end)
  if (room < 0) return { text: '', isCut: true }
  let text = head
  for (const row of more > 0 ? rows.slice(0, MAX_ROWS) : rows) {
    room -= Buffer.byteLength(row)
    if (room < 0) return { text: text + end, isCut: true }
    text += row
  }
  return { text: text + end, isCut: false }
}

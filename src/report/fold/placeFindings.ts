import { createHash } from 'node:crypto'
import type { FindingEvent } from '../../contracts/events.ts'
import type { NamedReport } from './mergeReports.ts'

/** A finding as other tools expect it: with its last line, and a fingerprint that is stable across runs. */
export type PlacedFinding = FindingEvent & {
  readonly endLine: number
  readonly fingerprint: string
  /** A short name for findings of the same kind. */
  readonly check: string
}

/** The findings of all runs, without duplicates. */
export function placeFindings(reports: readonly NamedReport[]): PlacedFinding[] {
  const placed = new Map<string, PlacedFinding>()
  for (const { report } of reports) {
    for (const finding of report.findings) {
      const { path, line, end_line: endLine = line } = finding
      const fingerprint = createHash('sha256')
        .update(JSON.stringify([path, finding.title, finding.message]))
        .digest('hex')
      placed.set(`${fingerprint}:${line}`, { ...finding, endLine, fingerprint, check: checkName(finding.title) })
    }
  }
  return [...placed.values()]
}

function checkName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
  return name === '' ? 'finding' : name
}

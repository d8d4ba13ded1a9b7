import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { FindingEvent } from '../../contracts/events.ts'
import type { NamedReport } from './mergeReports.ts'

/**
 * A finding as other tools expect it: a path inside the project, existing lines, a fingerprint that is stable across
 * runs.
 */
export type PlacedFinding = Omit<FindingEvent, 'path'> & {
  readonly path: string
  readonly endLine: number
  readonly fingerprint: string
  /** A short name for findings of the same kind. */
  readonly check: string
}

/**
 * The findings of all runs, without duplicates. Findings outside the project are left out: no viewer could show them.
 */
export function placeFindings(reports: readonly NamedReport[]): PlacedFinding[] {
  const placed = new Map<string, PlacedFinding>()
  for (const { report } of reports) {
    for (const finding of report.findings) {
      const path = insidePath(finding.path, report.init?.cwd)
      if (path === null) continue
      const line = Math.max(1, Math.floor(finding.line) || 1)
      const endLine = Math.max(line, finding.end_line ?? line)
      const fingerprint = createHash('sha256')
        .update(JSON.stringify([path, finding.title, finding.message]))
        .digest('hex')
      placed.set(`${fingerprint}:${line}`, {
        ...finding,
        path,
        line,
        endLine,
        fingerprint,
        check: checkName(finding.title),
      })
    }
  }
  return [...placed.values()]
}

function insidePath(path: string, cwd: string | undefined): string | null {
  const isAbsolute = posix.isAbsolute(path)
  if (isAbsolute && cwd === undefined) return null
  const relative = isAbsolute ? posix.relative(cwd ?? '', path) : posix.normalize(path)
  return relative === '..' || relative.startsWith('../') || relative === '.' ? null : relative
}

function checkName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
  return name === '' ? 'finding' : name
}

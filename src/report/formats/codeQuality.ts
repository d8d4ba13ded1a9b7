import type { NamedReport } from '../fold/mergeReports.ts'
import { placeFindings } from '../fold/placeFindings.ts'

const SEVERITIES = { info: 'info', warning: 'minor', error: 'major' } as const

/** The findings of the runs as a GitLab code quality report. */
export function renderCodeQuality(reports: readonly NamedReport[]): string {
  const issues = placeFindings(reports).map(
    ({ check, title, message, severity, path, line, endLine, fingerprint }) => ({
      description: message === '' ? title : `${title}: ${message}`,
      check_name: check,
      fingerprint,
      severity: SEVERITIES[severity],
      location: { path, lines: { begin: line, end: endLine } },
    }),
  )
  return `${JSON.stringify(issues, null, 2)}\n`
}

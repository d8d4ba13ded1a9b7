import { mergeReports, type NamedReport } from '../fold/mergeReports.ts'

/** The runs as one JSON document: the totals, and each run's report under its name. */
export function renderReportJson(reports: readonly NamedReport[]): string {
  const { runs, ...sums } = mergeReports(reports)
  const named = runs.map(({ name, report }) => ({ name, ...report }))
  return `${JSON.stringify({ v: 1, ...sums, runs: named }, null, 2)}\n`
}

import { deniedCalls } from '../words.ts'
import type { RunReport, Verdict } from './runReport.ts'

/** A report and its name: the file it came from. */
export type NamedReport = { readonly name: string; readonly report: RunReport }

/** Several runs together: a matrix, a fleet, the nights of a month. */
export type Fleet = ReturnType<typeof mergeReports>

/** The runs that most need a person come first: no end, failed, blocked, limited, good. */
const ORDER = ['unknown', 'failed', 'blocked', 'limited', 'good'] as const satisfies Verdict['state'][]

/** The runs in the order of need, with their totals. Pure. */
export function mergeReports(reports: readonly NamedReport[]) {
  const runs = reports.toSorted(
    (a, b) =>
      ORDER.indexOf(a.report.verdict.state) - ORDER.indexOf(b.report.verdict.state) ||
      deniedCalls(b.report) - deniedCalls(a.report) ||
      a.name.localeCompare(b.name, 'en'),
  )
  const states: Record<Verdict['state'], number> = { unknown: 0, failed: 0, blocked: 0, limited: 0, good: 0 }
  for (const { report } of runs) states[report.verdict.state] += 1
  const sum = (value: (report: RunReport) => number): number =>
    runs.reduce((total, { report }) => total + value(report), 0)
  const costs = runs.map(({ report }) => report.costUsd)
  return {
    runs,
    states,
    turns: sum(({ turns }) => turns),
    calls: sum(({ calls }) => calls.length),
    denials: sum(deniedCalls),
    /** Of the runs whose cost is known. */
    costUsd: Number(costs.reduce<number>((total, cost) => total + (cost ?? 0), 0).toFixed(9)),
    isCostWhole: !costs.includes(null) && runs.every(({ report }) => report.isCostWhole),
  }
}

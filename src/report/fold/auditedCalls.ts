import type { AuditedReport, CallReport } from './runReport.ts'

/** The calls that ran only because of `--audit`, in order, without duplicates. Pure. */
export function auditedCalls(calls: readonly CallReport[]): readonly AuditedReport[] {
  const audited = new Map<string, AuditedReport>()
  for (const { decision, tool, input, path, suggestion } of calls) {
    if (decision?.reason.type !== 'audit' && suggestion === null) continue
    const key = JSON.stringify([tool, input])
    audited.set(key, { tool, input, path, suggestion, count: (audited.get(key)?.count ?? 0) + 1 })
  }
  return [...audited.values()]
}

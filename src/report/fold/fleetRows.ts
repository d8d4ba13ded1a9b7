import { addUsage, NO_USAGE, type Usage } from '../../contracts/messages.ts'
import { formatNumber } from '../../lib/text/words.ts'
import { deniedCalls } from '../words.ts'
import type { RunReport } from './runReport.ts'

/** In the order of a merged report: what failed, what stopped without an end, what the policy stopped, the rest. */
export const OUTCOMES = ['failed', 'unfinished', 'blocked', 'limited', 'good'] as const

/** One run of a fleet: all that is kept of its transcript. */
export type FleetRow = {
  /** The path of the transcript. */
  readonly file: string
  /** `repository` of the init record, else the folder of the run, else empty. */
  readonly repository: string
  /** `unfinished`: the record has no end, is damaged or was changed, so it is never good. */
  readonly outcome: (typeof OUTCOMES)[number]
  readonly exit_code: number | null
  readonly exit_reason: string | null
  /** One sentence. */
  readonly detail: string
  readonly run: string | null
  readonly started_at: string | null
  readonly duration_ms: number
  readonly turns: number
  readonly tool_calls: number
  readonly denials: number
  readonly changed_files: number
  readonly added_lines: number
  readonly removed_lines: number
  readonly cost_usd: number | null
  readonly cost_is_lower_bound: boolean
  readonly usage: Usage
  /** Runs of the same task that are counted here: those whose record `--once` set aside, and the last one. */
  readonly attempts: number
}

/** A transcript, its report if it has records, and what is wrong with the file. */
export type ReadRun = { readonly file: string; readonly report: RunReport | null; readonly problem: string | null }

/** The row of one transcript. Pure. */
export function rowOf({ file, report, problem }: ReadRun): FleetRow {
  const { verdict, init, changes = [] } = report ?? {}
  const outcome =
    verdict === undefined || verdict.state === 'unknown' || problem !== null ? 'unfinished' : verdict.state
  return {
    file,
    repository: init?.repository ?? init?.cwd ?? '',
    outcome,
    exit_code: verdict?.exitCode ?? null,
    exit_reason: verdict?.exitReason ?? null,
    detail: problem ?? verdict?.detail ?? '',
    run: report?.run ?? null,
    started_at: report?.startedAt ?? null,
    duration_ms: report?.durationMs ?? 0,
    turns: report?.turns ?? 0,
    tool_calls: report?.calls.length ?? 0,
    denials: report === null ? 0 : deniedCalls(report),
    changed_files: changes.length,
    added_lines: changes.reduce((sum, { added }) => sum + added, 0),
    removed_lines: changes.reduce((sum, { removed }) => sum + removed, 0),
    cost_usd: report?.costUsd ?? null,
    cost_is_lower_bound: report?.costUsd == null || !report.isCostWhole || outcome === 'unfinished',
    usage: report?.usage ?? NO_USAGE,
    attempts: 1,
  }
}

/** `shop.attempt-1.jsonl` is an earlier run of `shop.jsonl`: the last run says how it ended, all of them what it cost. */
function foldAttempts(rows: readonly FleetRow[]): readonly FleetRow[] {
  const last = new Map(rows.map((row) => [row.file, row]))
  for (const row of rows) {
    const name = row.file.replace(/\.attempt-\d+\.jsonl$/, '.jsonl')
    const later = name === row.file ? undefined : last.get(name)
    if (later === undefined) continue
    last.delete(row.file)
    last.set(name, addAttempt(later, row))
  }
  return [...last.values()]
}

function addAttempt(later: FleetRow, row: FleetRow): FleetRow {
  return {
    ...later,
    repository: later.repository || row.repository,
    duration_ms: later.duration_ms + row.duration_ms,
    turns: later.turns + row.turns,
    tool_calls: later.tool_calls + row.tool_calls,
    denials: later.denials + row.denials,
    cost_usd: row.cost_usd === null ? later.cost_usd : (later.cost_usd ?? 0) + row.cost_usd,
    cost_is_lower_bound: later.cost_is_lower_bound || row.cost_is_lower_bound,
    usage: addUsage(later.usage, row.usage),
    attempts: later.attempts + row.attempts,
  }
}

/** `completed`, `completed, attempt 2`: the reason of the last end; empty if there is none. */
export function endWords({ exit_reason, attempts }: FleetRow): string {
  return [exit_reason, attempts > 1 && `attempt ${attempts}`].filter(Boolean).join(', ')
}

/** The rows in their order, and their sums. */
export type FleetRows = ReturnType<typeof sumRows>

/** Counts earlier attempts with the last one, puts the rows in order and adds them up. Pure. */
export function sumRows(rows: readonly FleetRow[]) {
  const runs = foldAttempts(rows).toSorted(
    (a, b) =>
      OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome) ||
      compare(a.repository, b.repository) ||
      compare(a.file, b.file),
  )
  const outcomes = { failed: 0, unfinished: 0, blocked: 0, limited: 0, good: 0 }
  for (const { outcome } of runs) outcomes[outcome] += 1
  return {
    outcomes,
    /** Of the runs whose cost is known. */
    cost_usd: Number(runs.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0).toFixed(9)),
    cost_is_lower_bound: runs.some(({ cost_is_lower_bound }) => cost_is_lower_bound),
    turns: runs.reduce((sum, { turns }) => sum + turns, 0),
    denials: runs.reduce((sum, { denials }) => sum + denials, 0),
    usage: runs.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    runs,
  }
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** `3 failed`, `1 unfinished`: the outcomes that occur. */
export function outcomeWords({ outcomes }: FleetRows): string {
  return OUTCOMES.filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${formatNumber(outcomes[outcome])} ${outcome}`)
    .join(', ')
}

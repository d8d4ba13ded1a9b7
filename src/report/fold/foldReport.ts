import { resolve } from 'node:path'
import type {
  EffectsEvent,
  FindingEvent,
  OutputProposedEvent,
  RunEvent,
  TranscriptRecord,
} from '../../contracts/events.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import { lineOf } from '../transcript/bodies.ts'
import { hashOfLine } from '../transcript/hashOfLine.ts'
import { changesOf } from './askedCalls.ts'
import { createTimeline } from './createTimeline.ts'
import type { AuditedReport, CallReport, CheckReport, RecordedChanges, RunReport } from './runReport.ts'
import { createTotals } from './totals.ts'
import { verdictOf } from './verdictOf.ts'

/** An event from the loop, or a record from a transcript. */
export type ReportedEvent = RunEvent | TranscriptRecord

/** The report on these events. Pure: the same events give the same report. */
export function foldReport(events: Iterable<ReportedEvent>): RunReport {
  const fold = createReportFold()
  for (const event of events) fold.add(event)
  return fold.report()
}

/** A report that grows with its events, for a run in progress; `report` may be called at any time. */
export function createReportFold() {
  const totals = createTotals(() => null)
  const timeline = createTimeline()
  const checks = new Map<string, CheckReport>()
  const effects: EffectsEvent[] = []
  const findings: FindingEvent[] = []
  const outputs: OutputProposedEvent[] = []
  const retries = { count: 0, waitedMs: 0 }
  let first: TranscriptRecord | null = null
  let last: TranscriptRecord | null = null
  let init: RunReport['init'] = null
  let result: RunReport['result'] = null
  let integrity: RunReport['integrity'] = null
  const keep = (event: Extract<ReportedEvent, { type: 'system' }>): void => {
    if (event.subtype === 'init') init = event
    else if (event.subtype === 'integrity') integrity = event
    else if (event.subtype === 'effects') effects.push(event)
    else if (event.subtype === 'finding') findings.push(event)
    else if (event.subtype === 'output_proposed') outputs.push(event)
    else if (event.subtype === 'api_retry') {
      retries.count += 1
      retries.waitedMs += event.retry_delay_ms
    } else if (event.subtype === 'check') {
      const { command, ok, exit_code, attempt, output, duration_ms, leftovers } = event
      const check = { command, ok, exit_code, attempts: attempt, output, duration_ms }
      checks.set(command, { ...check, ...(leftovers && { leftovers }) })
    }
  }
  const add = (event: ReportedEvent): void => {
    if ('seq' in event) {
      first ??= event
      last = event
    }
    totals.add(event)
    timeline.add(event, 'seq' in event ? event.mono_ms : null)
    if (event.type === 'result') result = event
    else if (event.type === 'system') keep(event)
  }
  const report = (): RunReport => {
    const { num_turns, usage, modelUsage, warnings } = result ?? totals.totals()
    const calls = timeline.calls()
    return {
      run: first?.run ?? null,
      sessionId: first?.session_id ?? result?.session_id ?? null,
      init,
      result,
      verdict: verdictOf(result),
      startedAt: first?.ts ?? null,
      durationMs: result?.duration_ms ?? last?.mono_ms ?? 0,
      turns: num_turns,
      timeline: timeline.entries(),
      calls,
      denials: timeline.denials(),
      audited: auditedCalls(calls),
      suggested: result?.suggested ?? null,
      checks: [...checks.values()],
      changes: result?.changes ?? [],
      patch: result?.patch ?? null,
      recorded: result === null ? recordedChanges({ calls, effects, cwd: init?.cwd ?? null }) : null,
      usage,
      modelUsage,
      costUsd: result === null ? null : result.total_cost_usd,
      isCostWhole: result?.cost_is_lower_bound !== true,
      retries: { ...retries },
      warnings,
      findings: [...findings],
      outputs: [...outputs],
      integrity,
      head: last === null ? null : hashOfLine(lineOf(last)),
    }
  }
  return { add, report }
}

/** The calls that ran only because of `--audit`, in order, without duplicates. Pure. */
function auditedCalls(calls: readonly CallReport[]): readonly AuditedReport[] {
  const audited = new Map<string, AuditedReport>()
  for (const { decision, tool, input, path, suggestion } of calls) {
    if (decision?.reason.type !== 'audit' && suggestion === null) continue
    const key = JSON.stringify([tool, input])
    audited.set(key, { tool, input, path, suggestion, count: (audited.get(key)?.count ?? 0) + 1 })
  }
  return [...audited.values()]
}

type Run = {
  readonly calls: readonly CallReport[]
  readonly effects: readonly EffectsEvent[]
  /** The project root; null if the record does not say. */
  readonly cwd: string | null
}

/** What the calls of a run without an end record changed, as far as it was recorded. Pure. */
function recordedChanges({ calls, effects, cwd }: Run): RecordedChanges {
  const files = new Map<string, Set<string>>()
  const add = (path: string, id: string) => files.set(path, (files.get(path) ?? new Set()).add(id))
  for (const effect of effects) {
    for (const { path, isKept } of changesOf(effect)) if (isKept) add(path, effect.tool_use_id)
  }
  const writers = calls.filter(({ isReadOnly }) => isReadOnly === false)
  for (const { path, outcome, id } of writers) {
    if (path !== null && outcome === 'ok') add(cwd === null ? path : displayPath(resolve(cwd, path), cwd), id)
  }
  return {
    files: [...files].map(([path, by]) => ({ path, by: [...by] })).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    open: writers.flatMap(({ id, outcome }) => (outcome === 'unknown' ? [id] : [])),
  }
}

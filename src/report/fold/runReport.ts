import type { DecisionReason } from '../../contracts/decision.ts'
import type { ExitReason } from '../../contracts/errors.ts'
import type {
  CheckEvent,
  CheckResult,
  FileChange,
  FindingEvent,
  InitEvent,
  IntegrityEvent,
  ModelUsage,
  OutputProposedEvent,
  PermissionDenial,
  ResultEvent,
  Suggestion,
  ToolOutcome,
} from '../../contracts/events.ts'
import type { Usage } from '../../contracts/messages.ts'

/** What every reader needs to know about a run, from its events alone. */
export type RunReport = {
  readonly run: string | null
  readonly sessionId: string | null
  readonly init: InitEvent | null
  /** Null if the record has no end: the run was killed, or is still in progress. */
  readonly result: ResultEvent | null
  readonly verdict: Verdict
  readonly startedAt: string | null
  readonly durationMs: number
  readonly turns: number
  readonly timeline: readonly TimelineEntry[]
  readonly calls: readonly CallReport[]
  readonly denials: readonly DenialReport[]
  readonly audited: readonly AuditedReport[]
  /** The rules that the policy would need for denied and audited calls. */
  readonly suggested: Suggestion | null
  readonly checks: readonly CheckReport[]
  readonly changes: readonly FileChange[]
  readonly patch: string | null
  /** Null if the record has an end, which says more. */
  readonly recorded: RecordedChanges | null
  readonly usage: Usage
  readonly modelUsage: Readonly<Record<string, ModelUsage>>
  readonly costUsd: number | null
  /** False if answers broke off: their usage is a lower bound. */
  readonly isCostWhole: boolean
  readonly retries: { readonly count: number; readonly waitedMs: number }
  readonly warnings: readonly string[]
  readonly findings: readonly FindingEvent[]
  readonly outputs: readonly OutputProposedEvent[]
  readonly integrity: IntegrityEvent | null
  /** SHA-256 of the last record: a copy kept elsewhere shows a cut transcript. Null for events without stamps. */
  readonly head: string | null
}

/** `good` only with exit code 0. `limited`: by a limit or a signal, can be resumed. `unknown`: no end record. */
export type Verdict = {
  readonly state: 'good' | 'failed' | 'blocked' | 'limited' | 'unknown'
  /** A few words: `Completed`, `Stopped by the policy`. */
  readonly title: string
  /** One sentence. */
  readonly detail: string
  readonly exitCode: number | null
  readonly exitReason: ExitReason | null
}

/** One tool call from intent to result. */
export type CallReport = {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** One line for people. */
  readonly activity: string
  readonly parent: string | null
  readonly turn: number
  /** Milliseconds since the run's start; null if the events have no times. */
  readonly atMs: number | null
  readonly isReadOnly: boolean | null
  /** The tool's name for people, if it differs. */
  readonly title: string | null
  /** The file that the call is about. */
  readonly path: string | null
  readonly isDestructive: boolean
  /** What really ran, if it is not the model's own text. */
  readonly canonical: string | null
  readonly decision: { readonly behavior: 'allow' | 'deny'; readonly reason: DecisionReason } | null
  readonly denial: Refusal | null
  /** What would allow a call that ran only because of `--audit`, or its changes. */
  readonly suggestion: string | null
  /** `unknown`: it started, and the record ends before its result. */
  readonly outcome: ToolOutcome['outcome'] | 'unknown'
  readonly durationMs: number | null
  /** The result's text; if it is long, its first and last 4,000 characters. */
  readonly resultText: string
  readonly rendering: string | null
  readonly blob: string | null
}

/** What the calls of a killed run changed. */
export type RecordedChanges = {
  /** Relative to the project root, or absolute outside of it. `by`: the ids of the calls, in order. */
  readonly files: readonly { readonly path: string; readonly by: readonly string[] }[]
  /** The ids of the calls that have no result: what they changed is not recorded. */
  readonly open: readonly string[]
}

/** Why a call was denied: in words, with the rule, its file and line, and what would allow it. */
export type Refusal = Pick<PermissionDenial, 'reason' | 'rule' | 'source' | 'line' | 'suggestion'>

/** Equal denials are one, with their number. */
export type DenialReport = Refusal & {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly count: number
}

/** A call that ran only because of `--audit`, and the rule that would allow it; equal ones are merged. */
export type AuditedReport = Pick<CallReport, 'tool' | 'input' | 'path' | 'suggestion'> & { readonly count: number }

/** A check after its last attempt, with that attempt's output. */
export type CheckReport = CheckResult & Pick<CheckEvent, 'output' | 'duration_ms'>

export type TimelineEntry =
  | {
      readonly kind: 'message'
      readonly turn: number
      readonly parent: string | null
      readonly atMs: number | null
      readonly text: string
      readonly model: string
    }
  | { readonly kind: 'call'; readonly call: CallReport }
  | {
      readonly kind: 'note'
      readonly atMs: number | null
      readonly level: 'info' | 'warning' | 'error'
      readonly title: string
      readonly detail: string
    }

import type { ExitReason } from './errors.ts'
import type { Enforcement, InitEvent } from './events.ts'
import type { Usage } from './messages.ts'
import type { Suggestion } from './suggestion.ts'
import type { CheckLeftover } from './systemEvents.ts'

export type ResultSubtype =
  | 'success'
  | 'error_max_turns'
  | 'error_max_budget_usd'
  | 'error_max_structured_output_retries'
  | 'error_during_execution'

export type ModelUsage = Usage & { readonly cost_usd: number | null; readonly requests: number }

/** The same in the names of Claude Code; `costUSD` is absent if the model has no known price. */
export type ClaudeModelUsage = {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadInputTokens: number
  readonly cacheCreationInputTokens: number
  readonly webSearchRequests: number
  readonly costUSD?: number
  readonly contextWindow: number
  readonly maxOutputTokens: number
}

export type CheckResult = {
  readonly command: string
  readonly ok: boolean
  readonly exit_code: number | null
  readonly attempts: number
  /** See `CheckEvent`. */
  readonly leftovers?: readonly CheckLeftover[]
}

/** `cut`: it still ran and was ended with the run. */
export type BackgroundResult = {
  readonly name: string
  readonly command: string
  readonly state: 'exited' | 'killed' | 'cut'
  readonly exit_code: number | null
}

/** The last event, and the object that `--output-format json` prints. `success` only with exit code 0. */
export type ResultEvent = {
  readonly type: 'result'
  readonly subtype: ResultSubtype
  readonly is_error: boolean
  readonly exit_code: number
  readonly exit_reason: ExitReason
  /** One sentence on how the run ended, for people. */
  readonly detail: string
  readonly result: string
  readonly structured_output: unknown
  readonly num_turns: number
  readonly num_tool_calls: number
  readonly duration_ms: number
  readonly duration_api_ms: number
  /** Null if a used model has no known price. */
  readonly total_cost_usd: number | null
  /** Set if answers broke off: only the usage that the API reported for them is counted. */
  readonly cost_is_lower_bound?: true
  readonly usage: Usage
  /** In our names and in Claude Code's; the latter are absent in records of older versions. */
  readonly modelUsage: Readonly<Record<string, ModelUsage & Partial<ClaudeModelUsage>>>
  readonly permission_denials: readonly PermissionDenial[]
  /** The rules for calls that were denied, or that only `--audit` allowed. Absent if there are none. */
  readonly suggested?: Suggestion
  readonly checks: readonly CheckResult[]
  /** The background commands of the run. Absent if there were none. */
  readonly background?: readonly BackgroundResult[]
  /** As in the first record. Absent if there were none. */
  readonly plugins?: NonNullable<InitEvent['plugins']>
  readonly changes: readonly FileChange[]
  /** Absent if no name of git's moved. */
  readonly refs?: readonly RefChange[]
  /** `git diff` against the start, or null with the reason in `patch_note`. */
  readonly patch: string | null
  readonly patch_note: string | null
  readonly warnings: readonly string[]
  readonly session_id: string
  readonly transcript_path: string
  readonly stop_reason: string | null
  readonly sandbox: Enforcement
  readonly network: { readonly mode: string; readonly state: Enforcement }
}

export type PermissionDenial = {
  readonly tool_name: string
  readonly tool_use_id: string
  readonly tool_input: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly rule: string | null
  readonly source: string | null
  readonly line: number | null
  readonly suggestion: string | null
}

/** A branch, a tag, a stash or HEAD that the run made, moved or removed (`now` is null), and the files of its commits. */
export type RefChange = {
  /** `refs/heads/main`; of a submodule with its folder before, `lib:refs/heads/main`. */
  readonly name: string
  /** An object; for HEAD the branch that is checked out. */
  readonly before: string | null
  readonly now: string | null
  /** How many commits the run made there; null if nobody looked, because too many names moved. */
  readonly commits: number | null
  readonly files: readonly string[]
}

export type FileChange = {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly added: number
  readonly removed: number
  /** The tool uses that changed it, in order; absent in records of older versions. */
  readonly by?: readonly string[]
}

/**
 * A text or a list too large for its record. It is stored as `blobs/<sha256>` beside the transcript, a list as JSON;
 * `path` is its place in the record. `kept`: how many items of a list are still in the record.
 */
export type MovedBody = {
  readonly path: readonly (string | number)[]
  readonly sha256: string
  readonly length: number
  readonly kept?: number
}

import type * as z from 'zod'
import type { outcomeSchema, owner } from './events/eventParts.ts'
import type { eventSchema, stampSchema } from './events/eventSchema.ts'
import type { resultSchema } from './events/resultSchema.ts'
import type { Items, Of } from './Frozen.ts'
import type { Usage } from './messages.ts'

type System<Subtype extends string> = Extract<RunEvent, { readonly type: 'system'; readonly subtype: Subtype }>

/**
 * What leaves the loop. The vocabulary is that of Claude Code's stream-json, so its readers can read these events. The
 * transcript adds `v`, `run`, `session_id`, `seq`, `ts`, `mono_ms` and `prev` to each. The first is `system/init`, the
 * last `result`.
 */
export type RunEvent = Of<typeof eventSchema>

/** Set on events of a sub-agent: the `Agent` tool use they belong to. Null in the main loop. */
export type Owned = Of<z.ZodObject<typeof owner>>

export type AssistantEvent = Extract<RunEvent, { readonly type: 'assistant' }>
/** A user message: the task, tool results, hook context. `tool_use_result` is the observable output of each tool. */
export type UserEvent = Extract<RunEvent, { readonly type: 'user' }>
export type ToolOutcome = Of<typeof outcomeSchema>
/** A part of an answer as it arrives, if asked for. Never in a transcript; the whole answer follows. */
export type StreamEvent = Extract<RunEvent, { readonly type: 'stream_event' }>

export type InitEvent = System<'init'>
/** What triggered a run, as far as its entry point knows. */
export type RunOrigin = NonNullable<InitEvent['origin']>
/** A process, uniquely identified despite reused pids: by its start time, and by boot and name of its host. */
export type ProcessIdentity = NonNullable<InitEvent['process']>
/** Written before the call has any effect. An intent without a `user` result means: outcome unknown. */
export type ToolIntentEvent = System<'tool_intent'>
/** Not written to the transcript. */
export type ToolProgressEvent = System<'tool_progress'>
export type PermissionDecisionEvent = System<'permission_decision'>
export type PermissionDeniedEvent = System<'permission_denied'>
/** What a call's command changed, and which changes were kept. */
export type EffectsEvent = System<'effects'>
export type ChangedPath = Items<EffectsEvent['kept']>
export type RefusedPath = Items<EffectsEvent['undone']>
export type ApiRetryEvent = System<'api_retry'>
export type ApiStallEvent = System<'api_stall'>
export type TurnDiscardedEvent = System<'turn_discarded'>
export type ModelFallbackEvent = System<'model_fallback'>
/** A request outside the loop: `auto` mode's judge, WebFetch's reader, compaction, AskExpertModel. */
export type ModelCallEvent = System<'model_call'>
export type CompactBoundaryEvent = System<'compact_boundary'>
/** The state that a resumed run continues from. It follows `init` and makes the transcript independent of the old one. */
export type ResumedEvent = System<'resumed'>
export type McpUnavailableEvent = System<'mcp_unavailable'>
export type McpToolsChangedEvent = System<'mcp_tools_changed'>
export type HookEvent = System<'hook'>
export type CheckEvent = System<'check'>
export type CheckLeftover = Items<CheckEvent['leftovers']>
export type ProcessLeakedEvent = System<'process_leaked'>
/** ToolSearch loaded deferred tools; they are part of the tool list from here on. */
export type ToolsLoadedEvent = System<'tools_loaded'>
/** A finding of ReportFinding: the source of annotations, SARIF and code-quality reports. */
export type FindingEvent = System<'finding'>
export type OutputProposedEvent = System<'output_proposed'>
export type TasksEvent = System<'tasks'>
/** A change of state that is not a fault: permission mode, directory, worktree, sub-agent start and end. */
export type StatusEvent = System<'status'>
export type IntegrityEvent = System<'integrity'>
export type WarningEvent = System<'warning'>

/** Something that people should know, and that ends nothing. */
export function warning(code: string, message: string): WarningEvent {
  return { type: 'system', subtype: 'warning', code, message }
}

/** The last event, and the object that `--output-format json` prints. `success` only with exit code 0. */
export type ResultEvent = Of<typeof resultSchema>
export type ResultSubtype = ResultEvent['subtype']
/** What is actually enforced, not what was requested. */
export type Enforcement = ResultEvent['sandbox']
export type ModelUsage = Usage & { readonly cost_usd: number | null; readonly requests: number }
/** The same in the names of Claude Code; `costUSD` is absent if the model has no known price. */
export type ClaudeModelUsage = Required<Omit<ResultUsage, keyof ModelUsage | 'costUSD'>> & Pick<ResultUsage, 'costUSD'>
type ResultUsage = ResultEvent['modelUsage'][string]
/** What a policy would need to let calls pass, and the calls for which no rule is offered, each with the reason. */
export type Suggestion = NonNullable<ResultEvent['suggested']>
/** An allow rule to add, and the calls that it is for, as people write them. */
export type SuggestedRule = Items<Suggestion['rules']>
export type CheckResult = Items<ResultEvent['checks']>
export type BackgroundResult = Items<ResultEvent['background']>
export type PermissionDenial = Items<ResultEvent['permission_denials']>
export type RefChange = Items<ResultEvent['refs']>
export type FileChange = Items<ResultEvent['changes']>

/**
 * What readers of Claude Code's session files look for. All records have a `uuid`, messages the rest. Other requests to
 * a model have a `message` with only their usage.
 */
export type SessionFields = Pick<
  Of<typeof stampSchema>,
  'uuid' | 'parentUuid' | 'timestamp' | 'sessionId' | 'isSidechain' | 'userType' | 'gitBranch' | 'costUSD'
> & {
  readonly cwd?: string
  readonly version?: string
  readonly message?: { readonly model: string; readonly usage: Usage }
}

/** An event in the transcript, one JSON object per line. `prev` is the SHA-256 of the previous line. */
export type TranscriptRecord = RunEvent & Of<typeof stampSchema>
export type MovedBody = Items<TranscriptRecord['blobs']>

import type { Behavior, DecisionReason } from './decision.ts'
import type { Enforcement, Owned } from './events.ts'
import type { ModelRequestEvent } from './modelEvents.ts'
import type { ModelUsage } from './resultEvent.ts'

/** All events besides messages, calls and effects. A new event needs a line here. */
export type SystemEvent =
  | ModelRequestEvent
  | ToolProgressEvent
  | PermissionDecisionEvent
  | PermissionDeniedEvent
  | CompactBoundaryEvent
  | ResumedEvent
  | McpUnavailableEvent
  | McpToolsChangedEvent
  | HookEvent
  | CheckEvent
  | ProcessLeakedEvent
  | ToolsLoadedEvent
  | FindingEvent
  | OutputProposedEvent
  | TasksEvent
  | StatusEvent
  | ActivityEvent
  | IntegrityEvent
  | WarningEvent

/** Not written to the transcript. */
export type ToolProgressEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'tool_progress'
  readonly tool_use_id: string
  readonly tool_name: string
  readonly text: string
}

/** What the run does while no call runs, such as a request to the model or a check. Not written to the transcript. */
export type ActivityEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'activity'
  readonly text: string
}

export type PermissionDecisionEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'permission_decision'
  readonly tool_use_id: string
  readonly tool_name: string
  readonly decision: 'allow' | 'deny'
  readonly behavior: Behavior
  readonly reason: DecisionReason
  readonly policy_sha256: string
  /** On a call that only `--audit` let run: the rule that would allow it. */
  readonly suggestion?: string
}

export type PermissionDeniedEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'permission_denied'
  readonly tool_name: string
  readonly tool_use_id: string
  readonly tool_input: Readonly<Record<string, unknown>>
  readonly agent_id: string | null
  readonly decision_reason_type: DecisionReason['type']
  readonly decision_reason: string
  readonly message: string
  /** The deciding rule: its text, its file, its 1-based line. Null if no rule decided. */
  readonly rule: string | null
  readonly source: string | null
  readonly line: number | null
  /** The policy edit that would allow the call; null if there is none. */
  readonly suggestion: string | null
}

export type CompactBoundaryEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'compact_boundary'
  readonly compact_metadata: {
    readonly trigger: 'auto' | 'error'
    readonly pre_tokens: number
    readonly post_tokens: number
  }
  /** The message that the conversation starts from after this point. */
  readonly summary: string
}
/** The state that a resumed run continues from. It follows `init` and makes the transcript independent of the old one. */
export type ResumedEvent = {
  readonly type: 'system'
  readonly subtype: 'resumed'
  /** `exit_reason` is null if the run has no end record. */
  readonly from: {
    readonly run: string
    readonly seq: number
    readonly transcript: string
    readonly exit_reason: string | null
  }
  /** The messages of the main loop so far, as JSON; in a blob if they are long. */
  readonly conversation: string
  /** The first message of the first run, which a compaction keeps. */
  readonly task: string
  /** Counts against this run's limits; not part of its result. */
  readonly used: {
    readonly turns: number
    readonly tool_calls: number
    readonly denials: number
    readonly models: Readonly<Record<string, ModelUsage>>
  }
  /** Calls that had started and have no result: they are never run again by themselves. */
  readonly interrupted: readonly {
    readonly tool_use_id: string
    readonly tool_name: string
    readonly is_read_only: boolean
  }[]
  /** Denied calls, one line each. */
  readonly denied: readonly string[]
  readonly files: { readonly read: readonly string[]; readonly changed: readonly string[] }
  readonly todos: readonly {
    readonly content: string
    readonly status: 'pending' | 'in_progress' | 'completed'
    readonly activeForm: string
  }[]
  /** Of the task list that all agents share. */
  readonly tasks: readonly {
    readonly id: string
    readonly subject: string
    readonly description: string
    readonly status: 'pending' | 'in_progress' | 'completed' | 'deleted'
    readonly owner?: string
    readonly blockedBy: readonly string[]
  }[]
  readonly loaded_tools: readonly string[]
}
export type McpUnavailableEvent = {
  readonly type: 'system'
  readonly subtype: 'mcp_unavailable'
  readonly server: string
  readonly required: boolean
  readonly detail: string
}
export type McpToolsChangedEvent = {
  readonly type: 'system'
  readonly subtype: 'mcp_tools_changed'
  readonly server: string
  readonly old: string
  readonly new: string
  readonly detail: string
}
export type HookEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'hook'
  readonly event: string
  readonly hook: string
  readonly outcome: 'ok' | 'blocked' | 'allowed' | 'asked' | 'failed' | 'timeout'
  readonly detail: string
  readonly duration_ms: number
  readonly tool_use_id?: string
}
export type CheckEvent = {
  readonly type: 'system'
  readonly subtype: 'check'
  readonly command: string
  readonly attempt: number
  readonly ok: boolean
  readonly exit_code: number | null
  readonly duration_ms: number
  readonly output: string
  /** What commands of the run left that the check may have used, and no rule covered. Absent if nothing is known of. */
  readonly leftovers?: readonly CheckLeftover[]
}
/** Such as 3 files below `node_modules` (`path`, relative to the project), and the ids of the calls that changed them. */
export type CheckLeftover = { readonly what: string; readonly path?: string; readonly by: readonly string[] }
export type ProcessLeakedEvent = {
  readonly type: 'system'
  readonly subtype: 'process_leaked'
  readonly count: number
  readonly processes: readonly { readonly pid: number; readonly command: string; readonly killed: boolean }[]
}
/** ToolSearch loaded deferred tools; they are part of the tool list from here on. */
export type ToolsLoadedEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'tools_loaded'
  readonly tools: readonly string[]
}
/** A finding of ReportFinding: the source of annotations, SARIF and code-quality reports. */
export type FindingEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'finding'
  readonly path: string
  readonly line: number
  readonly end_line?: number
  readonly severity: 'info' | 'warning' | 'error'
  readonly title: string
  readonly message: string
}
export type OutputProposedEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'output_proposed'
  readonly kind: string
  readonly summary: string
}
export type TasksEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'tasks'
  readonly tasks: readonly { readonly id: string; readonly subject: string; readonly status: string }[]
}
/** A change of state that is not a fault: permission mode, directory, worktree, sub-agent start and end. */
export type StatusEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'status'
  readonly status: string
  readonly detail: string
}
export type IntegrityEvent = {
  readonly type: 'system'
  readonly subtype: 'integrity'
  readonly unaccounted_files: readonly string[]
  readonly command_files_touched: readonly string[]
  readonly processes_left: number
  readonly sandbox: Enforcement
  readonly network: { readonly mode: string; readonly state: Enforcement }
}
export type WarningEvent = {
  readonly type: 'system'
  readonly subtype: 'warning'
  readonly code: string
  readonly message: string
}

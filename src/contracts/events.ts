import type { PermissionMode } from './decision.ts'
import type { EffectsEvent } from './effectsEvents.ts'
import type { AssistantMessage, Usage, UserMessage } from './messages.ts'
import type { StreamPart } from './model.ts'
import type { MovedBody, ResultEvent } from './resultEvent.ts'
import type { SystemEvent } from './systemEvents.ts'

export type { EffectsEvent } from './effectsEvents.ts'
export type {
  ApiRetryEvent,
  ApiStallEvent,
  ModelCallEvent,
  ModelFallbackEvent,
  TurnDiscardedEvent,
} from './modelEvents.ts'
export type {
  BackgroundResult,
  CheckResult,
  ClaudeModelUsage,
  FileChange,
  ModelUsage,
  MovedBody,
  PermissionDenial,
  RefChange,
  ResultEvent,
  ResultSubtype,
} from './resultEvent.ts'
export type {
  CheckEvent,
  CheckLeftover,
  CompactBoundaryEvent,
  FindingEvent,
  HookEvent,
  IntegrityEvent,
  McpToolsChangedEvent,
  McpUnavailableEvent,
  OutputProposedEvent,
  PermissionDecisionEvent,
  PermissionDeniedEvent,
  ProcessLeakedEvent,
  ResumedEvent,
  StatusEvent,
  TasksEvent,
  ToolProgressEvent,
  ToolsLoadedEvent,
  WarningEvent,
} from './systemEvents.ts'

/**
 * What leaves the loop. The vocabulary is that of Claude Code's stream-json, so its readers can read these events. The
 * transcript adds `v`, `run`, `session_id`, `seq`, `ts`, `mono_ms` and `prev` to each. The first is `system/init`, the
 * last `result`.
 */
export type RunEvent =
  | InitEvent
  | AssistantEvent
  | UserEvent
  | ToolIntentEvent
  | EffectsEvent
  | SystemEvent
  | StreamEvent
  | ResultEvent

/** Set on events of a sub-agent: the `Agent` tool use they belong to. Null in the main loop. */
export type Owned = { readonly parent_tool_use_id: string | null }

/** What is actually enforced, not what was requested. */
export type Enforcement = 'enforced' | 'advisory' | 'off'

export type InitEvent = {
  readonly type: 'system'
  readonly subtype: 'init'
  readonly cwd: string
  readonly tools: readonly string[]
  readonly mcp_servers: readonly { readonly name: string; readonly status: string }[]
  readonly model: string
  readonly permissionMode: PermissionMode
  readonly shouldAvoidPermissionPrompts: true
  readonly apiKeySource: string
  readonly api_host: string | null
  readonly agents: readonly string[]
  readonly skills: readonly string[]
  /** What a prompt `/name` may call: skills and commands of the project. */
  readonly slash_commands: readonly string[]
  /** `sha256`: of all files of the plugin; absent in records of older versions. */
  readonly plugins?: readonly { readonly name: string; readonly path: string; readonly sha256?: string }[]
  /** Always `default`: kode-run has no others, and readers of Claude Code's format expect one. */
  readonly output_style?: string
  readonly version: string
  readonly node: string
  readonly platform: string
  readonly prompt: string
  readonly policy: { readonly files: readonly string[]; readonly sha256: string }
  readonly sandbox: { readonly mode: string; readonly state: Enforcement; readonly detail: string }
  /** `enforced`: commands work on views of the checkout. `watched`: on the checkout, and changes are put back afterwards. */
  readonly effects?: { readonly state: 'enforced' | 'watched'; readonly detail: string }
  readonly network: { readonly mode: string; readonly state: Enforcement }
  /** Names of variables that commands do not get; `env.pass` would let them through. */
  readonly env_dropped?: readonly string[]
  readonly limits: Readonly<Record<string, number | null>>
  /** `branch`: what is checked out; `HEAD` if that is no branch. */
  readonly base: { readonly commit: string; readonly branch?: string } | null
  /** The remote `origin` of the checkout: `host/owner/name` or a path. */
  readonly repository?: string
  /** With `--once`: SHA-256 of task, policy, base commit and model. */
  readonly once?: string
  readonly origin?: RunOrigin
  /** SHA-256 of the system prompt and of the tools' specifications as JSON, as the main loop first sends them. */
  readonly sent?: { readonly system_sha256: string; readonly tools_sha256: string }
  readonly resumed_from?: { readonly run: string; readonly seq: number }
  /** The process that writes this record. A resume checks whether it is still alive. */
  readonly process?: ProcessIdentity
}

/** What triggered a run, as far as its entry point knows. */
export type RunOrigin = {
  /** The event of GitHub, how far it is trusted, and who caused it. */
  readonly event: { readonly name: string; readonly trust: string; readonly actor: string } | null
  /** The commit that policy and project files are read from, if not the checkout. */
  readonly config_commit: string | null
}

/** A process, uniquely identified despite reused pids: by its start time, and by boot and name of its host. */
export type ProcessIdentity = {
  readonly pid: number
  /** Clock ticks since boot; null without `/proc`. */
  readonly started: number | null
  readonly boot: string | null
  readonly host: string
  /** The PID namespace. Each container on a machine has its own. */
  readonly namespace: string | null
}

export type AssistantEvent = Owned & {
  readonly type: 'assistant'
  readonly message: AssistantMessage
  /** The API's id of the request; absent if it sent none. */
  readonly requestId?: string
}

/** A part of an answer as it arrives, if asked for. Never in a transcript; the whole answer follows. */
export type StreamEvent = Owned & { readonly type: 'stream_event'; readonly event: StreamPart }

/** A user message: the task, tool results, hook context. `tool_use_result` is the observable output of each tool. */
export type UserEvent = Owned & {
  readonly type: 'user'
  readonly message: UserMessage
  readonly tool_use_result?: readonly ToolOutcome[]
}

export type ToolOutcome = {
  readonly tool_use_id: string
  readonly tool_name: string
  readonly outcome: 'ok' | 'error' | 'denied' | 'invalid' | 'aborted'
  readonly duration_ms: number
  /** Markdown for reports: a diff, the last lines of a command. */
  readonly rendering?: string
  /** `blobs/<sha256>` if the full result was too large. */
  readonly blob?: string
  /** For a call that its tool refused as invalid: the tool's own number for the fault. */
  readonly error_code?: number
  /** Further details of the error. */
  readonly error_meta?: Readonly<Record<string, unknown>>
}

/** Written before the call has any effect. An intent without a `user` result means: outcome unknown. */
export type ToolIntentEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'tool_intent'
  readonly tool_use_id: string
  readonly tool_name: string
  readonly tool_input: Readonly<Record<string, unknown>>
  /** The text that actually runs, if it is not the model's own. */
  readonly canonical?: string
  readonly is_read_only: boolean
  readonly activity: string
  /** The tool's name for people, if it differs. */
  readonly title?: string
  /** The file that the call is about, as the model wrote it. */
  readonly path?: string
  /** The call may destroy something that no later call can restore. */
  readonly is_destructive?: true
}

/**
 * What readers of Claude Code's session files look for. All records have a `uuid`, messages the rest. Other requests to
 * a model have a `message` with only their usage.
 */
export type SessionFields = {
  readonly uuid?: string
  /** The message before, in the same conversation. */
  readonly parentUuid?: string | null
  /** Equal to `ts`. */
  readonly timestamp?: string
  /** Equal to `session_id`. */
  readonly sessionId?: string
  /** True for messages of a sub-agent. */
  readonly isSidechain?: boolean
  readonly userType?: 'external'
  readonly cwd?: string
  readonly version?: string
  readonly gitBranch?: string
  /** The price of the answer in US dollars; absent if it is not known. */
  readonly costUSD?: number
  readonly message?: { readonly model: string; readonly usage: Usage }
}

/** An event in the transcript, one JSON object per line. `prev` is the SHA-256 of the previous line. */
export type TranscriptRecord = RunEvent &
  Omit<SessionFields, 'cwd' | 'version' | 'message'> & {
    readonly v: number
    readonly run: string
    readonly session_id: string
    readonly seq: number
    readonly ts: string
    readonly mono_ms: number
    readonly prev: string
    readonly blobs?: readonly MovedBody[]
  }

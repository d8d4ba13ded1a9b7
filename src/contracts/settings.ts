import type { HookFunction, McpInstance } from './callbacks.ts'
import type { PermissionMode } from './decision.ts'
import type { Effort, Provider, Thinking } from './model.ts'
import type { OAuthSettings } from './oauth.ts'

/** The events a hook can be registered for; names and payloads are Claude Code's. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'Notification',
] as const

export type HookEventName = (typeof HOOK_EVENTS)[number]

type HookCommon = {
  /** Seconds; 60 by default. */
  readonly timeout?: number
  /** `deny` (default): a failing hook blocks on blocking events. `continue`: a failure is only a warning. */
  readonly onError?: 'deny' | 'continue'
  /** A permission rule; the hook runs only for calls it matches. */
  readonly if?: string
}

/**
 * One hook. A `command` with `args` runs without a shell; an `async` one runs beside the run and decides nothing. A
 * `function` is the library user's.
 */
export type HookSettings =
  | (HookCommon & {
      readonly type: 'command'
      readonly command: string
      readonly args?: readonly string[]
      readonly async?: boolean
      /** The folder of the plugin that has it. No file can name one. */
      readonly pluginRoot?: string
    })
  | (HookCommon & {
      readonly type: 'http'
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
      readonly allowedEnvVars?: readonly string[]
    })
  | (HookCommon & { readonly type: 'prompt' | 'agent'; readonly prompt: string; readonly model?: string })
  | (HookCommon & {
      readonly type: 'mcp_tool'
      readonly server: string
      readonly tool: string
      /** `${tool_input.file_path}` in a text is filled in from the event. */
      readonly input?: Readonly<Record<string, unknown>>
    })
  | (HookCommon & { readonly type: 'function'; readonly name: string; readonly call: HookFunction })

/** Hooks that share a matcher: a regular expression on the whole tool name; empty or `*` matches all. */
export type HookGroup = { readonly matcher?: string; readonly hooks: readonly HookSettings[] }

export type HookTable = { readonly [Event in HookEventName]?: readonly HookGroup[] }

/** An MCP server, in the shape of `.mcp.json` plus `required`, `tools`, `timeout`, `sandbox`. */
export type McpServerSettings = {
  /** `sdk`: a server in the caller's process. No file can name one. */
  readonly type?: 'stdio' | 'http' | 'sse' | 'sdk'
  readonly instance?: McpInstance
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A command line that prints a JSON object of more headers, run for each connection. */
  readonly headersHelper?: string
  readonly oauth?: OAuthSettings
  /** True by default: the run does not start without it. */
  readonly required?: boolean
  /** Globs on tool names; only these are offered. */
  readonly tools?: readonly string[]
  /** Seconds for start-up; 15 by default. */
  readonly startTimeout?: number
  /** Seconds for one call; 600 by default. */
  readonly timeout?: number
  /** True: a stdio server runs inside the sandbox. */
  readonly sandbox?: boolean
  /** True: it may ask for the folders of the run, and is told when they change. */
  readonly roots?: boolean
}

export type SandboxSettings = {
  readonly mode: 'required' | 'auto' | 'off'
  /** The least that `required` accepts; bubblewrap if undefined. */
  readonly wall?: 'bubblewrap' | 'landlock'
  /** Undefined: `none` in a sandbox; without one `open` on trusted events, `none` on untrusted ones. */
  readonly network?: 'none' | 'allowlist' | 'open'
  /** Hosts for `allowlist`; `*.example.com` covers any depth but not the apex. */
  readonly allow: readonly string[]
  /** Folders outside the workspace that children may write. */
  readonly writable: readonly string[]
  /** Paths outside the workspace that children may read, in addition to the system and toolchains. */
  readonly readable: readonly string[]
}

export type EnvSettings = {
  readonly pass: readonly string[]
  readonly set: Readonly<Record<string, string>>
  /** Names that may reach children although they look like secrets. */
  readonly secrets: readonly string[]
}

export type RedactSettings = { readonly env: readonly string[]; readonly patterns: readonly string[] }

export type ChecksSettings = {
  readonly attempts: number
  readonly commands: readonly string[]
  /** Run first: they make what git ignores and commands of the run have changed. */
  readonly prepare: readonly string[]
  /** Whether a check is green that may have used what commands left in ignored files. */
  readonly leftovers: 'report' | 'fail'
  /** Files whose change by the run makes a passing check doubtful. */
  readonly protect: readonly string[]
  /** A finding of this level, or worse, fails the run. */
  readonly findings?: 'error' | 'warning'
}

/** `run:` of a policy. Every value is optional; flags and environment override it. */
export type RunSettings = {
  readonly provider?: Provider
  readonly baseUrl?: string
  /** Ids for `opus`, `sonnet` and `haiku`. */
  readonly modelIds?: Readonly<Record<string, string>>
  readonly apiKeyHelper?: string
  readonly apiKeyHelperTtlMs?: number
  readonly model?: string
  readonly smallModel?: string
  readonly expertModel?: string
  readonly fallbackModel?: readonly string[]
  readonly maxTurns?: number
  readonly maxBudgetUsd?: number
  readonly maxToolCalls?: number
  readonly maxDenials?: number
  readonly maxTokensTotal?: number
  /** Output tokens of one answer. */
  readonly maxTokens?: number
  readonly thinking?: Thinking
  readonly effort?: Effort
  readonly toolReferences?: boolean
  readonly strictTools?: boolean
  /** Tokens that a conversation may have; near them it is compacted. */
  readonly contextWindow?: number
  /** Milliseconds; written as `30m` in the file. */
  readonly timeoutMs?: number
  readonly maxRetryWaitMs?: number
  readonly requireFinish?: boolean
  readonly failOnDenied?: boolean
  readonly outputFormat?: 'text' | 'json' | 'stream-json'
  readonly systemPrompt?: string
  readonly appendSystemPrompt?: string
  readonly params?: Readonly<Record<string, string>>
  readonly answers?: Readonly<Record<string, string>>
  /** Address of a search service for WebSearch; without one the API searches. */
  readonly searchEndpoint?: string
  readonly maxResultCharacters?: number
  readonly bashTimeoutMs?: number
  readonly bashMaxTimeoutMs?: number
  readonly backgroundWaitMs?: number
  readonly ledger?: LedgerSettings
}

/** Where runs write what they spend, and how much they may spend together. */
export type LedgerSettings = {
  /** As written; different files of a policy must not name different ones. */
  readonly folders: readonly string[]
  /** All of them apply. */
  readonly limits: readonly LedgerLimit[]
}

/** A limit across runs, in money or in tokens. */
export type LedgerLimit = {
  readonly usd?: number
  readonly tokens?: number
  /** By UTC; undefined: it never renews. */
  readonly every?: 'day' | 'month'
  /** Undefined: for all runs together. */
  readonly per?: 'repository' | 'workflow'
}

/** A sub-agent as the policy or a front matter defines it. */
export type AgentSettings = {
  readonly description: string
  readonly prompt: string
  readonly tools?: '*' | readonly string[]
  readonly model?: string
  readonly maxTurns?: number
  readonly maxBudgetUsd?: number
}

/** A price in US dollars per million tokens. */
export type Price = {
  readonly input: number
  readonly output: number
  readonly cacheWrite?: number
  readonly cacheRead?: number
}

/** What the agent may propose for a later `kode-run apply`; `max` of each kind. */
export type OutputSettings = Readonly<
  Record<string, { readonly max: number; readonly allow?: readonly string[]; readonly target?: string }>
>

/** One row of `tests:` in a policy. */
export type PolicyTest = {
  readonly call: string | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  readonly expect: 'allow' | 'deny' | 'ask'
  readonly rule?: string
  /** Where it is written. */
  readonly file: string
  readonly line: number
}

/** A policy without its rules. */
export type PolicySettings = {
  readonly defaultMode: PermissionMode
  readonly additionalDirectories: readonly string[]
  readonly hooks: HookTable
  readonly mcpServers: Readonly<Record<string, McpServerSettings>>
  readonly run: RunSettings
  readonly checks: ChecksSettings
  readonly env: EnvSettings
  readonly sandbox: SandboxSettings
  readonly redact: RedactSettings
  readonly agents: Readonly<Record<string, AgentSettings>>
  readonly outputs: OutputSettings
  readonly pricing: Readonly<Record<string, Price>>
  /** Folder for memory that outlives the run, absolute. */
  readonly memory?: string
  readonly projectMcp: boolean
  readonly projectHooks: boolean
  /** Their folders are absolute. */
  readonly plugins: readonly { readonly path: string; readonly sha256?: string }[]
  readonly tests: readonly PolicyTest[]
}

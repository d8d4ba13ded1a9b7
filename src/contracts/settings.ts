import type * as z from 'zod'
import type { HookFunction, McpInstance } from './callbacks.ts'
import type { PermissionMode } from './decision.ts'
import type { Frozen } from './Frozen.ts'
import type { Effort, Provider, Thinking } from './model.ts'
import type { hookSchema } from './policy/hooksSchema.ts'
import type {
  agentSchema,
  checksSchema,
  envSchema,
  ledgerLimitSchema,
  mcpServerSchema,
  priceSchema,
  redactSchema,
  sandboxSchema,
  testSchema,
} from './policy/settingsSchemas.ts'

type Of<Schema extends z.ZodType> = Frozen<z.infer<Schema>>

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

type Hook = Of<typeof hookSchema>

/**
 * One hook. A `command` with `args` runs without a shell; an `async` one runs beside the run and decides nothing. A
 * `function` is the library user's.
 */
export type HookSettings =
  | Exclude<Hook, { type: 'command' }>
  | (Extract<Hook, { type: 'command' }> & {
      /** The folder of the plugin that has it. No file can name one. */
      readonly pluginRoot?: string
    })
  | (Pick<Hook, 'timeout' | 'onError' | 'if'> & {
      readonly type: 'function'
      readonly name: string
      readonly call: HookFunction
    })

/** Hooks that share a matcher: a regular expression on the whole tool name; empty or `*` matches all. */
export type HookGroup = { readonly matcher?: string; readonly hooks: readonly HookSettings[] }

export type HookTable = { readonly [Event in HookEventName]?: readonly HookGroup[] }

/** An MCP server, in the shape of `.mcp.json` plus `required`, `tools`, `timeout`, `sandbox`. */
export type McpServerSettings = Omit<Of<typeof mcpServerSchema>, 'type'> & {
  /** `sdk`: a server in the caller's process. No file can name one. */
  readonly type?: Of<typeof mcpServerSchema>['type'] | 'sdk'
  readonly instance?: McpInstance
}

type Sandbox = Of<typeof sandboxSchema>
/** Client credentials for a server behind OAuth 2. */
export type OAuthSettings = NonNullable<McpServerSettings['oauth']>

export type SandboxSettings = Required<Omit<Sandbox, 'wall' | 'network'>> & {
  /** Bubblewrap if undefined. */
  readonly wall?: NonNullable<Sandbox['wall']>
  /** Undefined: `none` in a sandbox; without one `open` on trusted events, `none` on untrusted ones. */
  readonly network?: NonNullable<Sandbox['network']>
}
export type EnvSettings = Required<Of<typeof envSchema>>
export type RedactSettings = Required<Of<typeof redactSchema>>
type Checks = Of<typeof checksSchema>
export type ChecksSettings = Required<Omit<Checks, 'findings'>> & Pick<Checks, 'findings'>

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

/** Undefined `every`: it never renews; undefined `per`: for all runs together. */
export type LedgerLimit = Of<typeof ledgerLimitSchema>
export type AgentSettings = Of<typeof agentSchema>
export type Price = Of<typeof priceSchema>

/** What the agent may propose for a later `kode-run apply`; `max` of each kind. */
export type OutputSettings = Readonly<
  Record<string, { readonly max: number; readonly allow?: readonly string[]; readonly target?: string }>
>

/** One row of `tests:` in a policy, and where it is written. */
export type PolicyTest = Of<typeof testSchema> & { readonly file: string; readonly line: number }

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

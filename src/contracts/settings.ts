import type { HookFunction, McpInstance } from './callbacks.ts'
import type { PermissionMode } from './decision.ts'
import type { Of } from './Frozen.ts'
import type { hookSchema } from './policy/hooksSchema.ts'
import type {
  agentSchema,
  checksSchema,
  envSchema,
  ledgerLimitSchema,
  mcpServerSchema,
  priceSchema,
  redactSchema,
  runSchema,
  sandboxSchema,
  testSchema,
} from './policy/settingsSchemas.ts'

/** The events around a tool call: their matchers are compared with tool names. */
export const CALL_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
] as const

/** The events a hook can be registered for; names and payloads are Claude Code's. */
export const HOOK_EVENTS = [
  ...CALL_EVENTS,
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

type Run = Of<ReturnType<typeof runSchema>>
/** Durations of `run:` as they are written (`30m`), and their names in milliseconds. */
export const DURATIONS = {
  timeout: 'timeoutMs',
  maxRetryWait: 'maxRetryWaitMs',
  bashTimeout: 'bashTimeoutMs',
  bashMaxTimeout: 'bashMaxTimeoutMs',
  backgroundWait: 'backgroundWaitMs',
  apiKeyHelperTtl: 'apiKeyHelperTtlMs',
} as const

/** `run:` of a policy. Every value is optional; flags and environment override it. */
export type RunSettings = Omit<Run, keyof typeof DURATIONS | 'modelIds' | 'fallbackModel' | 'ledger'> & {
  readonly [Name in (typeof DURATIONS)[keyof typeof DURATIONS]]?: number
} & {
  readonly modelIds?: Readonly<Record<string, string>>
  readonly fallbackModel?: readonly string[]
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

import type { Behavior, PermissionMode } from '../contracts/decision.ts'
import type { EffectsReport } from '../contracts/effects.ts'
import type { RunEvent } from '../contracts/events.ts'
import type { HookTable } from '../contracts/settings.ts'
import type { Call } from '../contracts/subject.ts'
import type { CommandAccess, ModelQuestion, ToolInput } from '../Tool.ts'
import type { createHooks } from './createHooks.ts'
import type { HookVariables } from './HookReply.ts'

type RunHook = CommandAccess['run']

/** What hooks may use. Hooks of the repository get less than those of the policy. */
export type HookSource = {
  readonly table: HookTable
  /** Runs a hook that may come from the checkout: inside the sandbox. Undefined if it must not run at all. */
  readonly runInside: RunHook | undefined
  /** For `http` hooks. Must not follow redirects to addresses that it would not fetch itself. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Only read for the names that an `http` hook lists in `allowedEnvVars`. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What hooks use of a run that has begun. Both throw with the reason if there is no answer. */
export type HookPower = {
  /** For `agent` hooks: the last words of an agent that can only read files. */
  askAgent(question: ModelQuestion, signal: AbortSignal): Promise<string>
  /** For `mcp_tool` hooks: the text of the tool's answer. A call for the repository needs an allow rule. */
  callTool(
    tool: { readonly server: string; readonly tool: string; readonly input: ToolInput },
    isForeign: boolean,
    signal: AbortSignal,
  ): Promise<string>
}

export type HookFile = HookVariables & { readonly hook: string }

/** What hooks need from the run. Rule matching, the model and the network are passed in. */
export type HookOptions = HookSource & {
  /** The hooks of the repository, if the policy enables them. All of them run in the sandbox. */
  readonly project?: HookSource | undefined
  /** Runs a policy hook that contains nothing from the checkout. */
  readonly runOutside: RunHook
  /** A folder of this run outside the checkout: for copies of scripts, and an empty folder to start in. */
  readonly folder: string
  /** True for what commands must not read: no copy of it is made. */
  readonly isHidden: (path: string, kind: 'file' | 'folder') => boolean
  /** What commands of the run may change: the project root and other working directories; absolute, resolved. */
  readonly checkout: readonly string[]
  /** Where hooks start, and their `CLAUDE_PROJECT_DIR`: the project root, or the snapshot that replaces it. */
  readonly cwd: string
  /** The project root that hooks see, if it is not `cwd`. */
  readonly workspace?: string | undefined
  readonly sessionId: string
  readonly transcriptPath: string
  permissionMode(): PermissionMode
  /** Runs an `async` hook that would run inside. It may read the checkout, and no command waits for it. */
  readonly runBeside?: RunHook | undefined
  /** Throws before the run has begun. */
  power(): HookPower
  askModel(question: ModelQuestion, signal: AbortSignal): Promise<string>
  /** For `if`: true if the rule matches any part of the call, or if that is unknown. */
  matchesRule(rule: string, call: Call): boolean
  /** Redacts what hooks answer, and what is sent to `http` hooks. */
  redact(text: string): string
  /** Gets what hooks wrote to their `CLAUDE_ENV_FILE` at the start, in the order of the configuration. */
  keepVariables?(files: readonly HookFile[]): Promise<void>
  onEvent(event: RunEvent): void
}

export type HookAgent = { readonly id: string; readonly type: string }

export type HookedCall = {
  readonly call: Call
  /** The input as the tool shows it to hooks; by default the call's own. */
  readonly observed?: ToolInput
  readonly toolUseId: string
  /** Undefined in the main loop. */
  readonly agent?: HookAgent
  readonly parentToolUseId: string | null
}

/** The combined answer of all hooks of one event: any deny wins, then ask, then allow. */
export type HookVerdict = {
  readonly decision: Behavior | 'none'
  readonly reason: string
  /** The command, URL or prompt of the deciding hook; empty without one. */
  readonly hook: string
  /** True if the deciding hook did not decide but failed; the reason says how. */
  readonly isFailure: boolean
  /** Replaces the call's input, which must then be validated and permitted again. */
  readonly updatedInput?: ToolInput
  readonly additionalContext: readonly string[]
  /** What the hooks changed, one report for each that could. */
  readonly effects?: readonly EffectsReport[]
  /** Set by `continue: false`: the run ends with `stopped_by_hook` for this reason. */
  readonly stop?: string
}

export type StopState = {
  /** True if a Stop hook already sent the agent back. */
  readonly isActive: boolean
  readonly lastMessage: string
}

export type Hooks = ReturnType<typeof createHooks>

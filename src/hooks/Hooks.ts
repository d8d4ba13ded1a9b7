import type { Behavior, PermissionMode } from '../contracts/decision.ts'
import type { RunEvent } from '../contracts/events.ts'
import type { HookEventName, HookTable } from '../contracts/settings.ts'
import type { Call } from '../contracts/subject.ts'
import type { CommandAccess, ModelQuestion, ToolInput } from '../Tool.ts'

type RunHook = CommandAccess['run']

/** What a hook works with. Those of the repository get less than those of the policy. */
export type HookMeans = {
  readonly table: HookTable
  /** Runs a hook that comes from the checkout, or may: inside the walls. Undefined where it must not run at all. */
  readonly runInside: RunHook | undefined
  /** For `http` hooks. Must not follow redirects to places it would not fetch itself. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Read only for the names that an `http` hook lists in `allowedEnvVars`. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What hooks need from the run. Rule matching, the model and the network come by argument. */
export type HookOptions = HookMeans & {
  /** The hooks of the repository, where the policy wants them. All of them run inside. */
  readonly project?: HookMeans | undefined
  /** Runs a hook of the policy of which nothing comes from the checkout. */
  readonly runOutside: RunHook
  /** A folder of this run outside the checkout: copies of scripts, and the empty folder that hooks outside start in. */
  readonly folder: string
  /** What commands of the run may change: the project root and other working directories; absolute, resolved. */
  readonly checkout: readonly string[]
  /** Where hooks start, and their `CLAUDE_PROJECT_DIR`: the project root, or the snapshot that stands in for it. */
  readonly cwd: string
  /** The project root as hooks are told it, where it is not `cwd`. */
  readonly workspace?: string | undefined
  readonly sessionId: string
  readonly transcriptPath: string
  permissionMode(): PermissionMode
  /** For `prompt` hooks. */
  askModel(question: ModelQuestion, signal: AbortSignal): Promise<string>
  /** For `if`: true where the rule matches any part of the call, and where that cannot be known. */
  matchesRule(rule: string, call: Call): boolean
  /** Takes secrets out of what hooks say, and of what goes to `http` hooks. */
  redact(text: string): string
  onEvent(event: RunEvent): void
}

/** The sub-agent that an event belongs to. */
export type HookAgent = { readonly id: string; readonly type: string }

/** A tool call as hooks see it. */
export type HookedCall = {
  readonly call: Call
  /** The input as the tool shows it to hooks; the call's own where nothing is said. */
  readonly observed?: ToolInput
  readonly toolUseId: string
  /** Undefined in the main loop. */
  readonly agent?: HookAgent
  readonly parentToolUseId: string | null
}

/** What all hooks of one event said together: any deny wins, then ask, then allow. */
export type HookVerdict = {
  readonly decision: Behavior | 'none'
  /** The words of the hook that decided; empty where none did. */
  readonly reason: string
  /** The command, URL or prompt that decided; empty where none did. */
  readonly hook: string
  /** True where the deciding hook did not judge but failed; the reason says how. */
  readonly isFailure: boolean
  /** Replaces the call's input, which must then be validated and permitted again. */
  readonly updatedInput?: ToolInput
  /** Texts for the model, in the order of the configuration. */
  readonly additionalContext: readonly string[]
  /** Set by `continue: false`: the run ends with `stopped_by_hook` for this reason. */
  readonly stop?: string
}

/** How the main loop or a sub-agent came to its end. */
export type StopState = {
  /** True where a Stop hook already sent the agent back. */
  readonly isActive: boolean
  readonly lastMessage: string
}

/**
 * The user's commands around the run, by Claude Code's protocol. No method rejects: a hook that fails denies on
 * `PreToolUse`, `PermissionRequest`, `UserPromptSubmit`, `Stop` and `SubagentStop` (there with `isFailure`, which ends
 * the run), and is a warning on all other events.
 */
export interface Hooks {
  /** True where any hook is registered for the event. */
  has(event: HookEventName): boolean
  /** All that are registered, by the names that records show. */
  list(): readonly { readonly event: string; readonly hook: string }[]
  preToolUse(call: HookedCall, signal: AbortSignal): Promise<HookVerdict>
  permissionRequest(call: HookedCall, signal: AbortSignal): Promise<HookVerdict>
  permissionDenied(call: HookedCall, reason: string, signal: AbortSignal): Promise<HookVerdict>
  /** A deny is feedback for the model: the call has already run. */
  postToolUse(call: HookedCall, response: unknown, signal: AbortSignal): Promise<HookVerdict>
  postToolUseFailure(call: HookedCall, error: string, signal: AbortSignal): Promise<HookVerdict>
  userPromptSubmit(prompt: string, signal: AbortSignal): Promise<HookVerdict>
  sessionStart(source: 'startup' | 'resume' | 'compact', signal: AbortSignal): Promise<HookVerdict>
  sessionEnd(reason: string, signal: AbortSignal): Promise<HookVerdict>
  /** A deny sends the agent back to work with the reason. */
  stop(state: StopState, signal: AbortSignal): Promise<HookVerdict>
  subagentStart(agent: HookAgent, signal: AbortSignal): Promise<HookVerdict>
  subagentStop(agent: HookAgent, state: StopState, signal: AbortSignal): Promise<HookVerdict>
  /** A deny keeps the conversation as it is. */
  preCompact(trigger: 'auto' | 'manual', signal: AbortSignal): Promise<HookVerdict>
  postCompact(trigger: 'auto' | 'manual', summary: string, signal: AbortSignal): Promise<HookVerdict>
  notification(type: string, message: string, signal: AbortSignal): Promise<HookVerdict>
}

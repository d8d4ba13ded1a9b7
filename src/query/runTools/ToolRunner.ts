import type { Decision } from '../../contracts/decision.ts'
import type { EffectsReport } from '../../contracts/effects.ts'
import type { RunEvent, ToolOutcome } from '../../contracts/events.ts'
import type { ToolResultBlock } from '../../contracts/messages.ts'
import type { Call, Subject } from '../../contracts/subject.ts'
import type { HookAgent, Hooks } from '../../hooks/Hooks.ts'
import type { PermissionOptions } from '../../permissions.ts'
import type { BlobStore, Tool, ToolUseContext } from '../../Tool.ts'

/** What the calls of one loop need from the run. Created once for the main loop and once per sub-agent. */
export interface ToolRunner {
  /** All tools whose schemas the model has; deferred ones only after they were loaded. */
  tools(): readonly Tool[]
  /** Any tool of the loop by name or alias. A tool that is not loaded can be called too: the model may know it. */
  find(name: string): Tool | undefined
  context(call: CallContext): ToolUseContext
  /** Built for each call, since mode and working directories change. */
  permission(signal: AbortSignal): PermissionOptions
  readonly hooks: Hooks | undefined
  readonly agent: HookAgent | undefined
  /** The `Agent` call that this loop belongs to; null in the main loop. */
  readonly parentToolUseId: string | null
  readonly policySha256: string
  /** Counts a call. Returns why it may not start if a limit is reached. */
  takeToolCall(): string | undefined
  countDecision(decision: Decision): void
  /** Changes by programs that outlive their calls since the last check, and which of them were undone. */
  look(): Promise<readonly EffectsReport[]>
  /** The denial for a report with refused changes; undefined if everything was kept. */
  refusalOf(report: EffectsReport): Decision | undefined
  /** The Edit rules that were missing in an audit; empty in any other run. */
  auditedEdits(report: EffectsReport): readonly string[]
  readonly root: string
  noteCall(call: Call): void
  readonly blobs: BlobStore
  /** The longest result of a tool without its own limit. */
  readonly maxResultCharacters: number
  forModel(text: string): string
  /** Events of hooks and side requests that wait to be yielded. */
  drain(): readonly RunEvent[]
  /** Ends with the run, or with the interrupted turn. Its reason is a `RunError`. */
  readonly signal: AbortSignal
}

export type CallContext = {
  readonly toolUseId: string
  readonly signal: AbortSignal
  readonly decision: Decision | undefined
  readonly canonical: string | undefined
  /** The judged subjects, with paths as resolved then; empty while the call is validated. */
  readonly subjects: readonly Subject[]
  onEffects(report: EffectsReport): void
  /** Sends an event of the call; settles when it is recorded. */
  send(event: RunEvent): Promise<void>
}

export type CallResult = {
  readonly block: ToolResultBlock
  readonly outcome: ToolOutcome
  readonly additionalContext: readonly string[]
  /** A hook's `continue: false`. */
  readonly stop?: string
}

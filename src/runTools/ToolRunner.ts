import type { Decision } from '../contracts/decision.ts'
import type { EffectsReport } from '../contracts/effects.ts'
import type { RunEvent, ToolOutcome } from '../contracts/events.ts'
import type { ToolResultBlock } from '../contracts/messages.ts'
import type { Call, Subject } from '../contracts/subject.ts'
import type { HookAgent, Hooks } from '../hooks/Hooks.ts'
import type { PermissionOptions } from '../permissions.ts'
import type { BlobStore, Tool, ToolUseContext } from '../Tool.ts'

/** What calls of one loop need from the run. Made once for the main loop and once per sub-agent. */
export interface ToolRunner {
  /** All tools that the model has the schemas of: deferred ones only after they were loaded. */
  tools(): readonly Tool[]
  /** Any tool of the loop by its name or alias. One that is not loaded may be called all the same: the model knows it. */
  find(name: string): Tool | undefined
  /** Loads a deferred tool, so that its schema is part of the next request; the record of it where it was not. */
  load(tool: Tool): RunEvent | undefined
  context(call: CallContext): ToolUseContext
  /** Built for each call, since mode and working directories change. */
  permission(signal: AbortSignal): PermissionOptions
  readonly hooks: Hooks | undefined
  readonly agent: HookAgent | undefined
  /** The `Agent` call that this loop belongs to; null in the main loop. */
  readonly parentToolUseId: string | null
  readonly policySha256: string
  /** Counts a call; the reason why it may not start once a limit is reached. */
  takeToolCall(): string | undefined
  /** Counts a decision; denials in all are limited. */
  countDecision(decision: Decision): void
  /** What programs that outlive their calls changed since the last look, and what was put back of it. */
  look(): Promise<readonly EffectsReport[]>
  /** The denial that a report with refused changes comes to; undefined where everything was kept. */
  refusalOf(report: EffectsReport): Decision | undefined
  /** The Edit rules that an audit did without; empty in every other run. */
  auditedEdits(report: EffectsReport): readonly string[]
  /** What paths in records start from. */
  readonly root: string
  /** Told of every call before it runs. */
  noteCall(call: Call): void
  /** Where results go that are too large for the conversation. */
  readonly blobs: BlobStore
  /** What a result has at most where its tool keeps no limit of its own. */
  readonly maxResultCharacters: number
  /** Takes the values of secrets out of a text that goes to the model. */
  forModel(text: string): string
  /** Events of hooks and side requests that wait for their turn in the stream. */
  drain(): readonly RunEvent[]
  /** Ends with the run, or with the interrupted turn. */
  readonly signal: AbortSignal
}

export type CallContext = {
  readonly toolUseId: string
  readonly signal: AbortSignal
  readonly decision: Decision | undefined
  readonly canonical: string | undefined
  /** What was judged; empty while the call is being validated. Paths lead where they led then. */
  readonly subjects: readonly Subject[]
  /** Told what each command of the call changed. */
  onEffects(report: EffectsReport): void
  /** Sends an event of the call into the stream; settles when it is recorded. */
  send(event: RunEvent): Promise<void>
}

/** What one call came to. */
export type CallResult = {
  readonly block: ToolResultBlock
  readonly outcome: ToolOutcome
  /** Texts of hooks for the model. */
  readonly additionalContext: readonly string[]
  /** A hook's `continue: false`. */
  readonly stop?: string
}

import type { ExitReason } from '../contracts/errors.ts'
import type { RunEvent } from '../contracts/events.ts'
import type { Message, UserContent } from '../contracts/messages.ts'
import type { ModelClient, ModelRequest } from '../contracts/model.ts'
import type { HookAgent, Hooks } from '../hooks/Hooks.ts'
import type { ToolRunner } from '../runTools.ts'
import type { FinishReport } from '../Tool.ts'
import type { BackgroundAgents } from './createBackgroundAgents.ts'
import type { Limits } from './createLimits.ts'
import { createRepeatWatch } from './createRepeatWatch.ts'

/** One conversation: the main loop's or a sub-agent's. The loop adds to `messages`; nothing else does. */
export type Loop = {
  readonly model: ModelClient
  readonly messages: Message[]
  /** System prompt and tools of the next request; the same bytes turn after turn until a tool is loaded. */
  frame(): Promise<Omit<ModelRequest, 'messages' | 'maxTokens'>>
  readonly maxOutputTokens: number
  readonly runner: ToolRunner
  readonly limits: Limits
  readonly hooks: Hooks | undefined
  readonly agent: HookAgent | undefined
  /** Those that this loop started and does not wait for. They end with it. */
  readonly background?: BackgroundAgents
  /** Ends the loop; its reason is a `RunError`. */
  readonly signal: AbortSignal
  /** What `Finish` was called with, once it was. */
  finished(): Finished | undefined
  /** Makes that report void. */
  reopen(): void
  /** Set where a plain end of turn is not enough: it says what is asked of the agent. */
  mustFinish(): string | undefined
  /** Events of hooks and side requests that wait for their turn in the stream. */
  drain(): readonly RunEvent[]
  /** Set where a sub-agent came to an end that is the end of the run. */
  halted(): Pick<LoopEnd, 'reason' | 'detail'> | undefined
  /** Tokens from which on a conversation is made shorter before the next request. */
  readonly compactAt: number
  /** The shorter conversation that says the same, or undefined if none can be made. */
  compact?(trigger: 'auto' | 'error'): AsyncGenerator<RunEvent, readonly Message[] | undefined, undefined>
  readonly state: LoopState
}

/** The agent's last report; with what is wrong with its output where it could not be repaired. */
export type Finished = FinishReport & { readonly schemaProblem?: string }

/** What the loop remembers from turn to turn. */
export type LoopState = {
  cutAnswers: number
  pauses: number
  emptyAnswers: number
  nudges: number
  stopHookRounds: number
  maxTokens: number
  /** Since an answer showed that the conversation fits. */
  compactions: number
  imagesDropped: boolean
  /** What the API counted for the first so many messages. */
  contextTokens: number
  measuredMessages: number
  /** Denied calls, one line each: a compaction keeps them. */
  readonly denied: string[]
  lastText: string
  lastStopReason: string | null
  readonly repeats: ReturnType<typeof createRepeatWatch>
}

/** How a loop ended. */
export type LoopEnd = {
  readonly reason: ExitReason
  /** One sentence for people. */
  readonly detail: string
  /** The agent's last words: Finish's summary, or its last text. */
  readonly result: string
  readonly output?: unknown
  /** Of the last message. */
  readonly stopReason?: string | null
}

export function newLoopState(maxTokens: number, denied: string[] = []): LoopState {
  return {
    cutAnswers: 0,
    pauses: 0,
    emptyAnswers: 0,
    nudges: 0,
    stopHookRounds: 0,
    maxTokens,
    compactions: 0,
    imagesDropped: false,
    contextTokens: 0,
    measuredMessages: 0,
    denied,
    lastText: '',
    lastStopReason: null,
    repeats: createRepeatWatch(),
  }
}

/** Adds to the conversation; neighbours of the user's side are one message, as the API wants them to alternate. */
export function appendMessage(loop: Loop, content: readonly UserContent[]): void {
  const last = loop.messages.at(-1)
  if (last?.role === 'user')
    loop.messages[loop.messages.length - 1] = { role: 'user', content: [...last.content, ...content] }
  else loop.messages.push({ role: 'user', content })
}

/** The record of what the user's side says. */
export function userEvent(loop: Loop, content: readonly UserContent[]): RunEvent {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: loop.runner.parentToolUseId }
}

/** Says a sentence of ours to the agent, and records it. */
export async function* tellAgent(loop: Loop, text: string): AsyncGenerator<RunEvent, void, undefined> {
  const content = [{ type: 'text', text } as const]
  appendMessage(loop, content)
  yield userEvent(loop, content)
}

/** An end with the agent's last text as its result. */
export function endWith(loop: Loop, reason: ExitReason, detail: string): LoopEnd {
  return { reason, detail, result: loop.state.lastText, stopReason: loop.state.lastStopReason }
}

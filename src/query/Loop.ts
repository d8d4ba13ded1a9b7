import type { CommandAccess } from '../contracts/commands.ts'
import type { ExitReason } from '../contracts/errors.ts'
import type { RunEvent } from '../contracts/events.ts'
import { joinMessage, type Message, type UserContent } from '../contracts/messages.ts'
import type { ModelClient, ModelRequest } from '../contracts/model.ts'
import type { FinishReport } from '../Tool.ts'
import type { BackgroundAgents } from './createBackgroundAgents.ts'
import type { Limits } from './createLimits.ts'
import { createRepeatWatch } from './createRepeatWatch.ts'
import type { ToolRunner } from './runTools/runTools.ts'

/** One conversation: the main loop's or a sub-agent's. Only the loop adds to `messages`. */
export type Loop = Pick<ToolRunner, 'hooks' | 'agent' | 'signal' | 'drain'> & {
  readonly model: ModelClient
  readonly messages: Message[]
  /** System prompt and tools of the next request. Their bytes change only when a tool is loaded. */
  frame(): Promise<Omit<ModelRequest, 'messages' | 'maxTokens'>>
  readonly maxOutputTokens: number
  readonly runner: ToolRunner
  readonly limits: Limits
  /** Agents that this loop started in the background. They end with it. */
  readonly background?: BackgroundAgents
  /** The run's background commands, and how long an agent that is done waits for them. Only the main loop has them. */
  readonly commands?: Pick<CommandAccess, 'listBackground'> & { readonly waitMs: number }
  /** The report of `Finish`, once it was called. */
  finished(): Finished | undefined
  reopen(): void
  /** Set if the agent must not simply end its turn: the text to send it. */
  mustFinish(): string | undefined
  /** Steps that the agent noted and did not complete. */
  openSteps(): readonly string[]
  /** Set if a sub-agent ended in a way that ends the run. */
  halted(): Pick<LoopEnd, 'reason' | 'detail'> | undefined
  /** Takes in what has come up since the last turn. What to tell the agent about it. */
  arrivals?(): string | undefined
  readonly compactAt: number
  compact?(trigger: 'auto' | 'error'): AsyncGenerator<RunEvent, readonly Message[] | undefined, undefined>
  readonly state: LoopState
}

/** The agent's last report. `schemaProblem` says what is wrong with its output after the last attempt to repair it. */
export type Finished = FinishReport & { readonly schemaProblem?: string }

export type LoopState = ReturnType<typeof newLoopState>

export type LoopEnd = {
  readonly reason: ExitReason
  /** One sentence for people. */
  readonly detail: string
  /** The agent's final text: the summary of Finish, or its last message. */
  readonly result: string
  readonly output?: unknown
  readonly stopReason?: string | null
}

export function newLoopState(maxTokens: number, denied: string[] = []) {
  return {
    cutAnswers: 0,
    pauses: 0,
    emptyAnswers: 0,
    nudges: 0,
    hasHeardOfSteps: false,
    stopHookRounds: 0,
    maxTokens,
    /** Attempts to compact since an answer showed that the conversation fits. */
    compactions: 0,
    imagesDropped: false,
    /** The tokens that the API counted for the first `measuredMessages` messages. */
    contextTokens: 0,
    measuredMessages: 0,
    /** Denied calls, one line each. A compaction keeps them. */
    denied,
    /** Background commands that the agent knows to be running although it is done. */
    leftRunning: new Set<string>(),
    lastText: '',
    lastStopReason: null as string | null,
    repeats: createRepeatWatch(),
  }
}

export function userEvent(loop: Loop, content: readonly UserContent[]): RunEvent {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: loop.runner.parentToolUseId }
}

/** Sends the agent a message from kode-run, and records it. */
export async function* tellAgent(loop: Loop, text: string): AsyncGenerator<RunEvent, void, undefined> {
  const content = [{ type: 'text', text } as const]
  joinMessage(loop.messages, { role: 'user', content })
  yield userEvent(loop, content)
}

export function hookContext(texts: readonly string[] = []): string[] {
  return texts.map((text) => `<hook-context>\n${text}\n</hook-context>`)
}

/** An end with the agent's last text as its result. */
export function endWith(loop: Loop, reason: ExitReason, detail: string): LoopEnd {
  return { reason, detail, result: loop.state.lastText, stopReason: loop.state.lastStopReason }
}

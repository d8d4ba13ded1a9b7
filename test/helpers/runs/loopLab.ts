import * as z from 'zod'
import type { RunEvent } from '../../../src/contracts/events.ts'
import type { AssistantContent, Message } from '../../../src/contracts/messages.ts'
import { ModelError, type ModelEvent } from '../../../src/contracts/model.ts'
import type { Hooks, HookVerdict } from '../../../src/hooks/Hooks.ts'
import { forEachEvent } from '../../../src/lib/async/mergeGenerators.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { createLimits } from '../../../src/query/createLimits.ts'
import { newLoopState } from '../../../src/query/Loop.ts'
import type { ToolRunner } from '../../../src/query/runTools/runTools.ts'
import { type Loop, type LoopEnd, query } from '../../../src/query.ts'
import { buildTool, type FinishReport } from '../../../src/Tool.ts'
import { SILENT, stubRunner } from './callLab.ts'

const policy = await loadPolicy({ cwd: '/', home: '/root', flags: { allow: [], deny: [] } })
const USAGE = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** What the model sends for one request: blocks and a stop reason, events of its own, or an error that it throws. */
export type LabAnswer =
  | {
      readonly content: readonly AssistantContent[]
      readonly stop: string | null
      readonly before?: readonly ModelEvent[]
      /** Tokens of the request. */
      readonly tokens?: number
      readonly requestId?: string
    }
  | { readonly fails: Error }

export const text = (words: string, stop: string | null = 'end_turn'): LabAnswer => ({
  content: [{ type: 'text', text: words }],
  stop,
})

export const calls = (...content: readonly AssistantContent[]): LabAnswer => ({ content, stop: 'tool_use' })

export const tooLong = (kind: 'context_too_long' | 'request_too_large'): LabAnswer => ({
  fails: new ModelError(kind, 'context_exhausted', 'too long', { status: 400 }),
})

export const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const

/** Gives these conversations one after the other; keeps what it was asked for. */
export function compaction(...shorter: readonly (readonly Message[] | undefined)[]) {
  const asked: string[] = []
  const waiting = [...shorter]
  // biome-ignore lint/correctness/useYield: it says nothing on the way
  const compact: Loop['compact'] = async function* (trigger) {
    asked.push(trigger)
    return waiting.shift()
  }
  return { asked, compact }
}

export const use = (id: string, name: string, words: unknown = id): AssistantContent => ({
  type: 'tool_use',
  id,
  name,
  input: { text: words },
})

export type LabOptions = Partial<Omit<Loop, 'model' | 'messages' | 'runner' | 'limits' | 'hooks'>> & {
  readonly turns?: number
  /** What Stop hooks say, one after the other. */
  readonly stopHooks?: readonly Partial<HookVerdict>[]
  readonly onEvent?: (event: RunEvent) => void
  readonly onRequest?: (request: LabRun['requests'][number]) => void
  readonly runner?: Partial<ToolRunner>
}

export type LabRun = {
  readonly end: LoopEnd
  readonly events: readonly RunEvent[]
  /** The inputs of `Look`, `Note` and `Fail`, in the order of their calls. */
  readonly called: readonly string[]
  /** The conversation at the end. */
  readonly messages: readonly Message[]
  /** Of each request, its limit of output tokens and what the user's side said last. */
  readonly requests: readonly { readonly maxTokens: number; readonly said: string }[]
  /** Each time that Stop hooks were asked. */
  readonly asked: readonly unknown[]
}

/** Hooks that are asked after each call. */
export const answering = (verdict: object): LabOptions => {
  const answer = async () => ({ ...SILENT, ...verdict })
  const hooks = { has: () => false, preToolUse: async () => SILENT, postToolUse: answer, permissionDenied: answer }
  return { runner: { hooks: { ...hooks, notification: async () => SILENT } as never } }
}

/** Plays the loop in this process, with a scripted model. `Look` reads and is free, `Note` is free, `Fail` fails, `Ban` has no rule. */
export async function playLoop(answers: readonly LabAnswer[], options: LabOptions = {}): Promise<LabRun> {
  const { turns = 100, stopHooks, onEvent, onRequest, runner: parts, ...more } = options
  const called: string[] = []
  const asked: unknown[] = []
  const events: RunEvent[] = []
  const requests: { maxTokens: number; said: string }[] = []
  let report: FinishReport | undefined
  const tool = (name: string, isReadOnly: boolean) =>
    buildTool({
      name,
      isFree: name !== 'Ban',
      inputSchema: () => z.strictObject({ text: z.string() }),
      description: () => '',
      isReadOnly: () => isReadOnly,
      isConcurrencySafe: () => isReadOnly,
      async *call({ text: words }) {
        called.push(words)
        if (name === 'Finish') report = { status: words as FinishReport['status'], summary: `finished: ${words}` }
        if (name === 'Fail') throw new Error('it failed')
        yield { type: 'result' as const, data: words }
      },
      mapResult: (data) => ({ content: `${name} ${data}` }),
    })
  const tools = [tool('Look', true), tool('Note', false), tool('Fail', false), tool('Finish', false), tool('Ban', true)]
  const signal = more.signal ?? new AbortController().signal
  const limits = createLimits(
    { turns, budgetUsd: undefined, tokens: undefined, toolCalls: 1_000, denials: 100 },
    () => 0.01,
  )
  const runner: ToolRunner = {
    ...stubRunner(tools, policy, signal),
    ...{ takeToolCall: limits.takeToolCall, countDecision: limits.countDecision, noteCall: () => undefined },
    ...parts,
  }
  const verdicts = [...(stopHooks ?? [])]
  const stop = async (state: unknown) => {
    asked.push(state)
    return { ...SILENT, ...verdicts.shift() }
  }
  const hooks = {
    stop,
    takeLate: () => [],
    subagentStop: async (agent: unknown, state: object) => stop({ ...state, agent }),
  } as unknown as Hooks
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'do it' }] }]
  const script = [...answers]
  async function* stream(request: Parameters<Loop['model']['stream']>[0]): AsyncGenerator<ModelEvent, void, undefined> {
    const last = request.messages.at(-1)?.content.at(-1)
    const said = last?.type === 'text' ? last.text : (last?.type ?? '')
    onRequest?.({ maxTokens: request.maxTokens, said })
    requests.push({ maxTokens: request.maxTokens, said })
    const answer = script.shift()
    if (answer === undefined) throw new Error('the script has no more answers')
    if ('fails' in answer) throw answer.fails
    yield* answer.before ?? []
    for (const [index, block] of answer.content.entries()) yield { type: 'block', index, block }
    yield {
      type: 'message',
      message: {
        ...{ id: `m${requests.length}`, type: 'message', role: 'assistant', model: 'm' },
        usage: { ...USAGE, input_tokens: answer.tokens ?? USAGE.input_tokens },
        ...{ content: answer.content, stop_reason: answer.stop },
      },
      durationMs: 1,
      requestId: answer.requestId ?? null,
    }
  }
  const loop: Loop = {
    ...{ model: { name: 'replay', host: null, stream, close: async () => undefined }, messages },
    ...{ runner, limits, hooks: stopHooks === undefined ? undefined : hooks, agent: undefined },
    ...{ maxOutputTokens: 8_000, compactAt: 1e9, state: newLoopState(8_000) },
    frame: async () => ({ model: 'm', system: '', tools: [] }),
    finished: () => report,
    reopen: () => {
      report = undefined
    },
    mustFinish: () => undefined,
    openSteps: () => [],
    drain: () => [],
    halted: () => undefined,
    ...more,
    signal,
  }
  const end = await forEachEvent(query(loop), (event) => {
    events.push(event)
    onEvent?.(event)
  })
  return { end, events, called, messages, requests, asked }
}

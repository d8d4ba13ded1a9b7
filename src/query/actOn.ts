import { denialLine } from '../context/compaction.ts'
import type { RunEvent } from '../contracts/events.ts'
import { joinMessage, type ToolUseBlock, textsOf, type UserContent } from '../contracts/messages.ts'
import { discarded, interrupted, type Turn } from './askModel.ts'
import type { Repeat } from './createRepeatWatch.ts'
import { endFinished, endTurn } from './endTurn.ts'
import { endWith, hookContext, type Loop, type LoopEnd, tellAgent, userEvent } from './Loop.ts'
import type { CallResult } from './runTools/runTools.ts'
import { shorten } from './shorten.ts'

const MAX_PAUSES = 10
const MAX_CUT_ANSWERS = 3

type Step = AsyncGenerator<RunEvent, LoopEnd | undefined, undefined>

/** Acts on an answer by its stop reason. Calls run only if the reason is `tool_use`. */
export async function* actOn(turn: Turn, loop: Loop): Step {
  const { message } = turn
  const { state } = loop
  const text = textsOf(message.content).join('\n')
  if (text.trim() !== '') state.lastText = text
  state.lastStopReason = message.stop_reason
  if (message.stop_reason !== 'pause_turn') state.pauses = 0
  if (message.stop_reason !== 'max_tokens') state.cutAnswers = 0
  switch (message.stop_reason) {
    case 'tool_use':
      return yield* callTools(turn, loop)
    case 'end_turn':
    case 'stop_sequence':
      if (toolUsesOf(turn).length > 0)
        return yield* refuseCalls(turn, loop, `Not run: the message ended with ${message.stop_reason}.`)
      joinMessage(loop.messages, message)
      return yield* endTurn(text, loop)
    case 'max_tokens':
      return yield* goOnAfterCut(turn, loop)
    case 'pause_turn':
      joinMessage(loop.messages, message)
      return ++state.pauses > MAX_PAUSES
        ? endWith(loop, 'loop', `The API paused the turn ${MAX_PAUSES} times.`)
        : undefined
    case 'refusal':
      yield* discard(turn, loop, 'the model refused')
      return endWith(
        loop,
        'refusal',
        'The model refused to continue. Put the task in other words, or choose another model.',
      )
    case 'model_context_window_exceeded':
      yield* discard(turn, loop, "the model's context window is full")
      if (yield* shorten(loop, 'error')) return undefined
      return loop.signal.aborted
        ? interrupted(loop)
        : endWith(loop, 'context_exhausted', "The conversation fills the model's context window.")
  }
  const reason = `stop_reason ${JSON.stringify(message.stop_reason)}`
  yield* discard(turn, loop, reason)
  return endWith(loop, 'bad_stop_reason', `The API ended the message with ${reason}.`)
}

function toolUsesOf(turn: Turn): ToolUseBlock[] {
  return turn.message.content.filter((block): block is ToolUseBlock => block.type === 'tool_use')
}

/** Discards a recorded answer: its calls do not run, and it does not join the conversation. */
function* discard({ message, batch }: Turn, loop: Loop, reason: string): Generator<RunEvent> {
  yield discarded(loop, batch, { reason, blocks: message.content.length, messageId: message.id })
}

async function* callTools(turn: Turn, loop: Loop): Step {
  const toolUses = toolUsesOf(turn)
  joinMessage(loop.messages, turn.message)
  if (toolUses.length === 0) return yield* endTurn(loop.state.lastText, loop)
  const results = yield* turn.batch.finish(toolUses)
  noteDenials(toolUses, results, loop)
  const repeat = loop.state.repeats.note(toolUses, results)
  yield* answer(results, loop, repeat?.kind === 'warning' ? repeat.text : undefined)
  return yield* afterResults(repeat, results, loop)
}

/** Answers the calls of a message that did not end with `tool_use`. Only those that started early have results. */
async function* refuseCalls(turn: Turn, loop: Loop, why: string): Step {
  joinMessage(loop.messages, turn.message)
  const early = new Map(turn.batch.early().map((result) => [result.block.tool_use_id, result]))
  const results = toolUsesOf(turn).map((toolUse) => early.get(toolUse.id) ?? notRun(toolUse, why))
  yield* answer(results, loop)
  return undefined
}

function notRun(toolUse: ToolUseBlock, why: string): CallResult {
  return {
    block: { type: 'tool_result', tool_use_id: toolUse.id, content: why, is_error: true },
    outcome: { tool_use_id: toolUse.id, tool_name: toolUse.name, outcome: 'aborted', duration_ms: 0 },
    additionalContext: [],
  }
}

/** Remembers denied calls. Denials are final, so they must survive a compaction. */
function noteDenials(toolUses: readonly ToolUseBlock[], results: readonly CallResult[], loop: Loop): void {
  for (const { outcome, block } of results) {
    const toolUse = outcome.outcome === 'denied' && toolUses.find(({ id }) => id === outcome.tool_use_id)
    if (toolUse) loop.state.denied.push(denialLine(toolUse.name, toolUse.input, String(block.content)))
  }
}

/** Sends the results in the order of the calls, in one message, followed by additions of hooks and of kode-run. */
async function* answer(
  results: readonly CallResult[],
  loop: Loop,
  word?: string,
): AsyncGenerator<RunEvent, void, undefined> {
  const context = results.flatMap((result) => result.additionalContext).filter((text) => text.trim() !== '')
  const words = [...hookContext(context), ...(word === undefined ? [] : [word])]
  const content: UserContent[] = [
    ...results.map((result) => result.block),
    ...words.map((text) => ({ type: 'text', text }) as const),
  ]
  yield* loop.drain()
  yield { ...userEvent(loop, content), tool_use_result: results.map((result) => result.outcome) } as RunEvent
  joinMessage(loop.messages, { role: 'user', content })
}

async function* afterResults(repeat: Repeat | undefined, results: readonly CallResult[], loop: Loop): Step {
  if (loop.signal.aborted) return interrupted(loop)
  const halt = loop.halted()
  if (halt !== undefined) return endWith(loop, halt.reason, halt.detail)
  const stop = results.find((result) => result.stop !== undefined)?.stop
  if (stop !== undefined) return endWith(loop, 'stopped_by_hook', stop)
  if (loop.finished() !== undefined) return yield* endFinished(loop)
  return repeat?.kind === 'end' ? endWith(loop, 'loop', repeat.text) : undefined
}

/** After an answer that the output limit cut: doubles the limit once, then tells the agent. Three in a row end the run. */
async function* goOnAfterCut(turn: Turn, loop: Loop): Step {
  const { state } = loop
  state.cutAnswers++
  if (state.cutAnswers >= MAX_CUT_ANSWERS) {
    yield* discard(turn, loop, 'the output limit cut it')
    const detail = `${MAX_CUT_ANSWERS} answers in a row were cut at ${state.maxTokens} output tokens (run.maxTokens).`
    return endWith(loop, 'max_tokens', detail)
  }
  const isCall = toolUsesOf(turn).length > 0
  if (isCall && state.cutAnswers === 1) {
    state.maxTokens = Math.min(state.maxTokens * 2, 64_000)
    yield* discard(turn, loop, 'the output limit cut a tool call')
    return undefined
  }
  if (isCall)
    return yield* refuseCalls(turn, loop, 'Not run: the output limit truncated this call. Do it in smaller steps.')
  joinMessage(loop.messages, turn.message)
  yield* tellAgent(loop, 'Your answer was cut by the output limit. Continue where it ended, in smaller steps.')
  return undefined
}

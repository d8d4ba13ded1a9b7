import { RunError } from '../contracts/errors.ts'
import type { RunEvent, TurnDiscardedEvent } from '../contracts/events.ts'
import type { AssistantContent, AssistantMessage, Message } from '../contracts/messages.ts'
import { ModelError, type ModelEvent, type ModelRequest } from '../contracts/model.ts'
import { mergeGenerators } from '../lib/async/mergeGenerators.ts'
import { endWith, type Loop, type LoopEnd } from './Loop.ts'
import { runTools, type ToolBatch } from './runTools/runTools.ts'
import { dropImages, measure, shorten } from './shorten.ts'

/** A complete, recorded answer, and those of its calls that have already started. */
export type Turn = { readonly message: AssistantMessage; readonly batch: ToolBatch }

/**
 * Asks for the next answer, and records it before any call with side effects can start. If the conversation does not
 * fit, it is compacted once and sent again. A failed request or the end of the run is a `LoopEnd`.
 */
export async function* askModel(loop: Loop): AsyncGenerator<RunEvent, Turn | LoopEnd, undefined> {
  while (true) {
    try {
      const turn = yield* stream(loop)
      if ('reason' in turn) return turn
      loop.limits.countTurn()
      return turn
    } catch (error) {
      if (loop.signal.aborted) return interrupted(loop)
      if (!(error instanceof ModelError)) throw error
      if (error.kind !== 'context_too_long' && error.kind !== 'request_too_large')
        return endWith(loop, error.reason, error.message)
      const isLighter = error.kind === 'request_too_large' && (yield* dropImages(loop))
      if (isLighter || (yield* shorten(loop, 'error'))) continue
      return loop.signal.aborted ? interrupted(loop) : endWith(loop, 'context_exhausted', error.message)
    }
  }
}

export function interrupted(loop: Loop): LoopEnd {
  const { reason } = loop.signal
  if (reason instanceof RunError) return endWith(loop, reason.reason, reason.message)
  throw reason
}

async function* stream(loop: Loop): AsyncGenerator<RunEvent, Turn | LoopEnd, undefined> {
  const request: ModelRequest = { ...(await loop.frame()), messages: loop.messages, maxTokens: loop.state.maxTokens }
  const repair = createIdRepair(loop.messages)
  let blocks: AssistantContent[] = []
  const unreadable = new Set<AssistantContent>()
  let batch = runTools(loop.runner)
  let turn: Turn | undefined
  const { parentToolUseId: parent_tool_use_id } = loop.runner
  yield { type: 'system', subtype: 'activity', text: `waiting for ${request.model}`, parent_tool_use_id }
  const merged = mergeGenerators<ModelEvent | RunEvent>(loop.model.stream(request, loop.signal))
  for await (const event of merged) {
    if (event.type === 'block') {
      const block = repair(event.block)
      blocks.push(block)
      if (event.problem !== undefined) unreadable.add(block)
      const early = block.type === 'tool_use' ? batch.startEarly(block, event.problem) : undefined
      if (early !== undefined) merged.add(early)
    } else if (event.type === 'discarded') {
      const { reason, model, usage } = event
      loop.limits.countUsage(model, usage, 0)
      yield discarded(loop, batch, { reason, blocks: event.blocks, spent: { model, usage } })
      const limit = loop.limits.reached()
      if (limit !== undefined && !loop.signal.aborted) return endWith(loop, limit.reason, limit.detail)
      blocks = []
      batch = runTools(loop.runner)
    } else if (event.type === 'message') {
      // If no call runs, an unreadable one is left out of the answer.
      const isCalling = event.message.stop_reason === 'tool_use'
      const content = blocks.filter((block) => isSomething(block) && (isCalling || !unreadable.has(block)))
      const message = { ...event.message, content }
      loop.limits.countUsage(request.model, message.usage, event.durationMs)
      measure(loop, message.usage)
      turn = { message, batch }
      const { requestId } = event
      yield { type: 'assistant', message, parent_tool_use_id, ...(requestId === null ? {} : { requestId }) }
    } else yield* translate(loop, event)
  }
  if (turn === undefined)
    throw new ModelError('bad_stream', 'api_unavailable', 'The model stream ended without a message.')
  return turn
}

/** False for what the API would reject when sent back: empty text, and thinking without its signature. */
function isSomething(block: AssistantContent): boolean {
  if (block.type === 'thinking') return block['signature'] !== ''
  return block.type !== 'text' || block.text.trim() !== ''
}

type Discarded = Pick<TurnDiscardedEvent, 'reason' | 'blocks' | 'spent'> & { readonly messageId?: string }

export function discarded(loop: Loop, batch: ToolBatch, { reason, blocks, messageId, spent }: Discarded): RunEvent {
  return {
    type: 'system',
    subtype: 'turn_discarded',
    reason,
    blocks,
    early: batch.earlyOutcomes(),
    ...(messageId === undefined ? {} : { message_id: messageId }),
    ...(spent === undefined ? {} : { spent }),
    parent_tool_use_id: loop.runner.parentToolUseId,
  }
}

function* translate(
  loop: Loop,
  event: Exclude<ModelEvent | RunEvent, { type: 'block' | 'discarded' | 'message' }>,
): Generator<RunEvent> {
  const owner = { type: 'system', parent_tool_use_id: loop.runner.parentToolUseId } as const
  if (event.type === 'retry') {
    yield {
      ...owner,
      subtype: 'api_retry',
      attempt: event.attempt,
      max_retries: event.maxRetries,
      retry_delay_ms: event.delayMs,
      error_status: event.status,
      error: event.error,
      source: event.source,
      detail: event.detail,
    }
  } else if (event.type === 'part')
    yield { type: 'stream_event', event: event.event, parent_tool_use_id: owner.parent_tool_use_id }
  else if (event.type === 'stall')
    yield { ...owner, subtype: 'api_stall', phase: event.phase, silent_ms: event.silentMs }
  else if (event.type === 'fallback') {
    yield { ...owner, subtype: 'model_fallback', from: event.from, to: event.to, detail: event.detail }
  } else yield event
}

/**
 * A function that gives every tool use of the next message a unique id, because the API rejects a conversation with an
 * empty or repeated one. Valid ids are kept.
 */
export function createIdRepair(messages: readonly Message[]): (block: AssistantContent) => AssistantContent {
  const seen = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.content) if (block.type === 'tool_use') seen.add(block.id)
  }
  return (block) => {
    if (block.type !== 'tool_use') return block
    const id = isGood(block.id) && !seen.has(block.id) ? block.id : freeId(block.id, seen)
    seen.add(id)
    return id === block.id ? block : { ...block, id }
  }
}

function isGood(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(id)
}

function freeId(id: string, seen: ReadonlySet<string>): string {
  const base = isGood(id) ? id.slice(0, 100) : 'toolu_repaired'
  let number = 2
  while (seen.has(`${base}_${number}`)) number++
  return `${base}_${number}`
}

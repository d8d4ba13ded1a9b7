import type { Middleware } from '@anthropic-ai/sdk'
import type { Messages } from '@anthropic-ai/sdk/resources/messages'
import type { MessageStreamParams, Message as SdkMessage } from '@anthropic-ai/sdk/resources/messages/messages'
import type { AssistantContent, Usage } from '../../contracts/messages.ts'
import type { ModelEvent } from '../../contracts/model.ts'
import { createChannel } from '../../lib/async/channel.ts'
import { classifyError } from '../classifyError.ts'
import { createUsageCount, normalizeUsage } from '../createUsageCount.ts'
import type { ModelFault } from '../ModelFault.ts'
import { createToolInputs, type ToolInputs } from './createToolInputs.ts'
import { guardResponse } from './guardResponse.ts'
import type { ModelTimers } from './startSilenceTimer.ts'

/** What the middlewares of one attempt share. */
export type Attempt = {
  readonly signal: AbortSignal
  /** Ends the attempt; the first fault counts. */
  fail(fault: ModelFault): void
  /** Called when the attempt is over, however it ended. */
  onEnd(action: () => void): void
  /** Called when the attempt is aborted, by `fail` or by the run's signal. */
  onAbort(action: () => void): void
  readonly fault: ModelFault | undefined
}

/** One middleware between the SDK and the network: recording, replaying. Created for each attempt. */
export type Exchange = (attempt: Attempt) => Middleware

export type AttemptOptions = {
  readonly messages: Messages
  readonly params: MessageStreamParams
  readonly signal: AbortSignal
  readonly timers: ModelTimers
  readonly exchanges: readonly Exchange[]
  /** True: also yield the API's own events. */
  readonly hasParts?: boolean
}

type MessageStream = ReturnType<Messages['stream']>
/** `spent` is the minimum usage of the answer so far. */
export type AttemptEvent =
  | Extract<ModelEvent, { type: 'block' | 'message' | 'part' }>
  | { readonly type: 'begun'; spent(): Usage }

/** A connection that ends by itself within this time can be reused. */
const LONGEST_GOODBYE_MS = 1000

/**
 * One request, sent once: `begun` when the answer starts, `block` for each complete block, then `message`. Throws
 * `ModelFault` or `RunError`, or the signal's reason. However it ends, its socket is closed.
 */
export async function* streamAttempt(options: AttemptOptions): AsyncGenerator<AttemptEvent, void, undefined> {
  const startedAt = performance.now()
  const { attempt, controller, end } = startAttempt(options.signal)
  const inputs = createToolInputs()
  const middleware = [guardResponse(attempt, options.timers, inputs), ...options.exchanges.map((make) => make(attempt))]
  const stream = options.messages.stream(options.params, { signal: controller.signal, middleware })
  const events = createChannel<AttemptEvent>()
  const use = createUsageCount(() => [JSON.stringify(options.params).length, inputs.size()])
  stream.on('streamEvent', (event, snapshot) => {
    use.add(event)
    if (event.type === 'message_start') events.send({ type: 'begun', spent: use.atLeast })
    // The message of the first event is what the SDK adds to.
    if (options.hasParts === true) events.send({ type: 'part', event: structuredClone({ ...event }) })
    if (event.type !== 'content_block_stop') return
    const block = snapshot.content[event.index]
    if (block === undefined) return
    const { input, ...problem } = inputs.end(event.index) ?? {}
    events.send({ type: 'block', index: event.index, block: withInput(plainBlock(block), input), ...problem })
  })
  const final = wholeMessage(stream, attempt, options.timers.idleMs).finally(events.close)
  final.catch(() => undefined)
  try {
    yield* events.read()
    const message = await final
    yield {
      type: 'message',
      message: assistantMessage(message, inputs, options.params),
      durationMs: performance.now() - startedAt,
      requestId: stream.request_id ?? null,
    }
  } catch (error) {
    options.signal.throwIfAborted()
    throw attempt.fault ?? classifyError(error)
  } finally {
    end()
  }
}

/** The answer is complete at `message_stop`: the wait for what becomes of the connection is short. */
async function wholeMessage(stream: MessageStream, attempt: Attempt, idleMs: number): Promise<SdkMessage> {
  let whole: SdkMessage | undefined
  const enough = new Promise<SdkMessage>((resolve) => {
    stream.on('message', (message: SdkMessage) => {
      whole = message
      const timer = setTimeout(resolve, Math.min(LONGEST_GOODBYE_MS, idleMs / 2), message)
      attempt.onEnd(() => clearTimeout(timer))
    })
  })
  const ended = stream.finalMessage().catch((error: unknown) => {
    if (whole === undefined) throw error
    return whole
  })
  return await Promise.race([ended, enough])
}

function startAttempt(signal: AbortSignal) {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const actions: (() => void)[] = [abort, () => signal.removeEventListener('abort', abort)]
  let first: ModelFault | undefined
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  const attempt: Attempt = {
    signal,
    fail(fault) {
      first ??= fault
      abort()
    },
    onEnd: (action) => void actions.push(action),
    onAbort(action) {
      if (controller.signal.aborted) action()
      else controller.signal.addEventListener('abort', action, { once: true })
    },
    get fault() {
      return first
    },
  }
  const end = (): void => {
    for (const action of actions) action()
  }
  return { attempt, controller, end }
}

/** A call with a truncated or malformed input gets an empty one. */
function assistantMessage(message: SdkMessage, inputs: ToolInputs, params: MessageStreamParams) {
  const content = message.content.map((block, index) => withInput(plainBlock(block), inputs.end(index)?.input))
  const sizes = () => [JSON.stringify(params).length, JSON.stringify(content).length] as const
  const { usage, isEstimated } = normalizeUsage(message.usage, sizes)
  return {
    id: message.id,
    type: 'message' as const,
    role: 'assistant' as const,
    model: message.model,
    content: content as AssistantContent[],
    stop_reason: message.stop_reason ?? null,
    usage,
    ...(isEstimated ? { usage_estimated: true } : {}),
  }
}

function withInput(block: AssistantContent, input: Readonly<Record<string, unknown>> | undefined): AssistantContent {
  return input === undefined ? block : ({ ...block, input } as AssistantContent)
}

/** The block as it can be sent back: plain data without null fields. */
function plainBlock(block: SdkMessage['content'][number]): AssistantContent {
  if (block.type === 'tool_use') {
    const { type, id, name, input } = block
    return { type, id, name, input: input as Readonly<Record<string, unknown>> }
  }
  const fields = Object.entries(block).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(fields) as AssistantContent
}

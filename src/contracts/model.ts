import type * as z from 'zod'
import type { ExitReason } from './errors.ts'
import type { apiErrorSchema } from './events/eventParts.ts'
import type { AssistantContent, AssistantMessage, Message, Usage } from './messages.ts'

/** A tool as the API wants it: `input_schema` is a JSON Schema of `type: object`. */
export type ToolSpec = {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
  /** Loaded on demand. Not a field of the API: the client decides how to send such a tool. */
  readonly deferred?: true
}

/** A tool that runs on the API's side, passed through as it is (`web_search_20250305` …). */
export type ServerToolSpec = { readonly type: string; readonly name: string; readonly [key: string]: unknown }

/** One request to a model. Prompt-cache marks are set by the client, so that equal prefixes give equal bytes. */
export type ModelRequest = {
  readonly model: string
  readonly system: string
  readonly tools: readonly (ToolSpec | ServerToolSpec)[]
  readonly messages: readonly Message[]
  readonly maxTokens: number
  readonly thinking?: Thinking
  readonly effort?: Effort
  /** True: the stream also yields the API's own events as they arrive. Not a field of the API. */
  readonly hasParts?: boolean
}

/** How a model thinks before it answers; a number is a budget of tokens. */
export type Thinking = 'off' | 'adaptive' | number

/** Claude Code's names for the models of today. */
const MODEL_ALIASES: Readonly<Record<string, string>> = {
  default: 'claude-sonnet-5-5',
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
  haiku: 'claude-haiku-5-5',
}

/** Who answers: the Messages API itself or a gateway, or a cloud. */
export const PROVIDERS = ['anthropic', 'bedrock', 'vertex', 'foundry'] as const
export type Provider = (typeof PROVIDERS)[number]

export const PROVIDER_NAMES: Readonly<Record<Provider, string>> = {
  anthropic: 'Messages API',
  bedrock: 'Amazon Bedrock',
  vertex: 'Google Vertex AI',
  foundry: 'Microsoft Foundry',
}

/**
 * The id for a name such as `opus`: the operator's own (`own`), or that of the provider. Any other name is already an
 * id. Bedrock's ids are those of its global inference profiles; the other clouds have the ids of the API.
 */
export function modelId(name: string, provider: Provider, own: Readonly<Record<string, string>> = {}): string {
  const key = name === 'default' ? 'sonnet' : name
  const named = Object.hasOwn(own, key) ? own[key] : undefined
  if (named !== undefined) return named
  if (!Object.hasOwn(MODEL_ALIASES, name)) return name
  return `${provider === 'bedrock' ? 'global.anthropic.' : ''}${MODEL_ALIASES[name]}`
}

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** What a model stream yields; the last event is always `message`. Errors are thrown as `ModelError`. */
export type ModelEvent =
  /** One content block is complete. Retried requests start again at index 0 after `discarded`. */
  | {
      readonly type: 'block'
      readonly index: number
      readonly block: AssistantContent
      /** For a call with an unreadable input, which is empty here: the error for the model. */
      readonly problem?: string
    }
  /** The stream broke: all blocks since the request began are void. They are paid for all the same. */
  | {
      readonly type: 'discarded'
      readonly reason: string
      readonly blocks: number
      readonly model: string
      /** A lower bound: the API's last count, plus the output received since. */
      readonly usage: Usage
    }
  /** A wait before the next attempt. `attempt` counts from 1; `error` as in Claude Code's `api_retry` event. */
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly maxRetries: number
      readonly delayMs: number
      readonly status: number | null
      readonly error: ApiErrorKind
      readonly source: 'retry-after' | 'backoff'
      readonly detail: string
    }
  | {
      readonly type: 'stall'
      readonly phase: 'connect' | 'first_byte' | 'idle' | 'ping_only'
      readonly silentMs: number
    }
  /** An event of the API's stream, if the request asks for them. The input of a tool has no parts. */
  | { readonly type: 'part'; readonly event: StreamPart }
  | { readonly type: 'fallback'; readonly from: string; readonly to: string; readonly detail: string }
  | {
      readonly type: 'message'
      readonly message: AssistantMessage
      readonly durationMs: number
      readonly requestId: string | null
    }

/** An event of a streaming answer: `message_start`, `content_block_delta` and so on, as the API sent it. */
export type StreamPart = { readonly type: string; readonly [field: string]: unknown }

/** Categories of API errors, as in Claude Code's `system/api_retry`. */
export type ApiErrorKind = z.infer<typeof apiErrorSchema>

/** A request that failed for good. `kind` lets the loop act (compaction), `reason` is the exit reason otherwise. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: ApiErrorKind
  readonly reason: ExitReason
  readonly status: number | null
  constructor(
    kind: ApiErrorKind,
    reason: ExitReason,
    message: string,
    options?: ErrorOptions & { status?: number | null },
  ) {
    super(message, options)
    this.kind = kind
    this.reason = reason
    this.status = options?.status ?? null
  }
}

/** The only way to a model. A stream that is left early (`return()`), or whose signal aborts, closes its socket. */
export interface ModelClient {
  readonly name: Provider | 'replay'
  /** The host that requests go to, for `system/init`; null for a replay. */
  readonly host: string | null
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined>
  /** Called once at the end of a run: a replay with turns left throws `replay_mismatch`. */
  close(): Promise<void>
}

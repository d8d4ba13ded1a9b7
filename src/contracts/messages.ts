/** Content and messages in the wire shape of the Anthropic Messages API (`POST /v1/messages`). */
export type TextBlock = { readonly type: 'text'; readonly text: string }
export type ThinkingBlock = { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
export type RedactedThinkingBlock = { readonly type: 'redacted_thinking'; readonly data: string }
export type ToolUseBlock = {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}
export type ImageBlock = {
  readonly type: 'image'
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string }
}
export type DocumentBlock = {
  readonly type: 'document'
  readonly source: { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
  readonly title?: string
}
export type ToolResultContent = TextBlock | ImageBlock | DocumentBlock
export type ToolResultBlock = {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string | readonly ToolResultContent[]
  readonly is_error?: boolean
  /**
   * Names of the tools that this result loads. Not a field of the API: the client sends them as `tool_reference`
   * blocks, or not at all.
   */
  readonly references?: readonly string[]
}
/** Blocks of server-side tools (web search) and of later API versions: kept and sent back as they came. */
export type OpaqueBlock = {
  readonly type: `server_${string}` | `web_search_${string}`
  readonly [key: string]: unknown
}

export type AssistantContent = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock | OpaqueBlock
export type UserContent = TextBlock | ImageBlock | DocumentBlock | ToolResultBlock

export type UserMessage = { readonly role: 'user'; readonly content: readonly UserContent[] }
export type AssistantTurn = { readonly role: 'assistant'; readonly content: readonly AssistantContent[] }
export type Message = UserMessage | AssistantTurn

/** Token counts of one request, as the API reports them; cache tokens are not part of `input_tokens`. */
export type Usage = {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_read_input_tokens: number
  /** Searches that the API made; they are paid for one by one. */
  readonly web_search_requests?: number
}

/** Stands for the model in messages that kode-run itself writes: the commands of a skill or a command file. They cost nothing. */
export const OWN_MODEL = 'kode-run'

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

/** Adds two usages field by field. */
export function addUsage(a: Usage, b: Usage): Usage {
  const searches = (a.web_search_requests ?? 0) + (b.web_search_requests ?? 0)
  return {
    ...(searches === 0 ? {} : { web_search_requests: searches }),
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  }
}

/** The stop reasons of the API that are handled; any other string ends the run with `bad_stop_reason`. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'

/** A complete answer: the stream reached `message_stop`. `stop_reason` is as sent, so it may be unknown or null. */
export type AssistantMessage = AssistantTurn & {
  readonly id: string
  readonly type: 'message'
  readonly model: string
  readonly stop_reason: string | null
  readonly usage: Usage
  /** True if the API sent no usable counts, so that `usage` is an estimate from the length of the text. */
  readonly usage_estimated?: boolean
}

/** All tokens of these together. */
export function tokensOf(all: readonly Usage[]): number {
  const used = all.reduce<Usage>(addUsage, NO_USAGE)
  return used.input_tokens + used.output_tokens + used.cache_creation_input_tokens + used.cache_read_input_tokens
}

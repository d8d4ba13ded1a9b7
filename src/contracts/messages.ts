import type { documentSchema, imageSchema, textSchema } from './events/contentSchemas.ts'
import type {
  assistantMessageSchema,
  toolResultSchema,
  toolUseSchema,
  usageSchema,
  userMessageSchema,
} from './events/messageSchema.ts'
import type { ModelUsage } from './events.ts'
import type { Items, Of } from './Frozen.ts'

/** Content and messages in the wire shape of the Anthropic Messages API (`POST /v1/messages`). */
export type TextBlock = Of<typeof textSchema>
export type ToolUseBlock = Of<typeof toolUseSchema>
export type ImageBlock = Of<typeof imageSchema>
export type DocumentBlock = Of<typeof documentSchema>
export type ToolResultBlock = Of<typeof toolResultSchema>
export type ToolResultContent = TextBlock | ImageBlock | DocumentBlock

export type UserMessage = Of<typeof userMessageSchema>
/** A complete answer: the stream reached `message_stop`. `stop_reason` is as sent, so it may be unknown or null. */
export type AssistantMessage = Of<typeof assistantMessageSchema>
export type AssistantTurn = Pick<AssistantMessage, 'role' | 'content'>
export type Message = UserMessage | AssistantTurn
export type AssistantContent = Items<AssistantMessage['content']>
export type UserContent = Items<UserMessage['content']>

/** Adds to a conversation. A message joins one of its own role before it, because the API requires roles to alternate. */
export function joinMessage(messages: Message[], { role, content }: Pick<Message, 'role' | 'content'>): void {
  const last = messages.at(-1)
  if (content.length === 0) return
  if (last?.role !== role) messages.push({ role, content } as Message)
  else messages[messages.length - 1] = { role, content: [...last.content, ...content] } as Message
}

/** The texts of a message, or of a result. */
export function textsOf(content: Message['content'] | ToolResultBlock['content']): string[] {
  return typeof content === 'string'
    ? [content]
    : content.flatMap((block) => (block.type === 'text' ? [String(block['text'])] : []))
}

/** Token counts of one request, as the API reports them; cache tokens are not part of `input_tokens`. */
export type Usage = Of<typeof usageSchema>

/** Stands for the model in messages that kode-run itself writes: the commands of a skill or a command file. They cost nothing. */
export const OWN_MODEL = 'kode-run'

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

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

/** To a billionth of a dollar, without the noise of binary fractions: 0.0017, not 0.0017000000000000001. */
export function addCost(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Number((a + b).toFixed(9))
}

/** What a model was used for, with one more request; its cost is null where one of them has no price. */
export function withRequest(before: ModelUsage | undefined, usage: Usage, cost: number | null): ModelUsage {
  const { cost_usd: sum, requests, ...used } = before ?? { ...NO_USAGE, cost_usd: 0, requests: 0 }
  return { ...addUsage(used, usage), cost_usd: addCost(sum, cost), requests: requests + 1 }
}

/** All tokens that were sent, from and to the cache too. */
export function inputTokensOf(usage: Usage): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
}

export function tokensOf(all: readonly Usage[]): number {
  const used = all.reduce<Usage>(addUsage, NO_USAGE)
  return inputTokensOf(used) + used.output_tokens
}

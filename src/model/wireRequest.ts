import type { MessageStreamParams } from '@anthropic-ai/sdk/resources/messages/messages'
import type { Message } from '../contracts/messages.ts'
import type { ModelRequest } from '../contracts/model.ts'
import { memoizeFor } from '../lib/memoize.ts'
import { thinkingParams } from './thinkingParams.ts'
import { strictTools } from './tools/strictTools.ts'
import type { ToolFeature } from './tools/toolFeatures.ts'
import { toolReferences } from './tools/toolReferences.ts'

/**
 * The request as sent: strings are well-formed, no text block is blank, tools have the form that these features allow,
 * prompt-cache marks are set. The order of keys is fixed, with the growing part (`messages`) last. Pure.
 */
export function wireRequest(request: ModelRequest, features: readonly ToolFeature[] = []): MessageStreamParams {
  const plain = {
    system: wellFormed(request.system),
    tools: wellFormed(features.includes('strict') ? strictTools(request.tools) : request.tools),
    messages: request.messages.map(wireMessage),
  }
  const { system } = plain
  const { tools, messages } = toolReferences(plain, features.includes('references'))
  const params = {
    model: request.model,
    max_tokens: request.maxTokens,
    ...thinkingParams(request),
    ...cacheMarks({ system, tools, messages }),
  }
  // The contract's messages are the API's; the types differ only in `readonly` and the open list of block types.
  return params as unknown as MessageStreamParams
}

/** Made once for each message, because each turn sends the whole conversation again. */
const wireMessage = memoizeFor((message: Message) => wellFormed(withoutBlanks(message)))

/** Models send blank text beside tool calls, but the API accepts it from nobody. */
function withoutBlanks(message: Message): Message {
  const content = message.content.filter((block) => block.type !== 'text' || String(block.text).trim() !== '')
  return content.length === message.content.length ? message : ({ ...message, content } as Message)
}

/** The same value with every lone surrogate replaced by U+FFFD: a cut emoji would make the whole request invalid JSON. */
function wellFormed<Value>(value: Value): Value {
  return (isWellFormed(value) ? value : repair(value)) as Value
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (Array.isArray(value)) return value.every(isWellFormed)
  if (typeof value !== 'object' || value === null) return true
  for (const key in value) if (!key.isWellFormed() || !isWellFormed(Reflect.get(value, key))) return false
  return true
}

function repair(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toWellFormed(), wellFormed(part)]))
}

const MARK = { cache_control: { type: 'ephemeral' } } as const

/** Blocks that the API does not accept a mark on. */
const UNMARKABLE: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking'])

/**
 * The parts of a request with its four prompt-cache marks: on the last tool that is not deferred, the system prompt, and
 * the last block of the two latest user messages. The older of these finds the cache entry of the previous request,
 * however many blocks were added since ("Prompt caching": the API looks back 20 blocks). Pure.
 */
export function cacheMarks(request: Pick<ModelRequest, 'system' | 'tools' | 'messages'>) {
  const { system, tools, messages } = request
  const marked = new Set([...messages.keys()].filter((index) => messages[index]?.role === 'user').slice(-2))
  // The API refuses a mark on a deferred tool, which is no part of the cached prefix.
  const lastTool = tools.findLastIndex((tool) => !('defer_loading' in tool))
  return {
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...MARK }] }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool, i) => (i === lastTool ? { ...tool, ...MARK } : tool)) }),
    messages: messages.map((message, index) => (marked.has(index) ? withMark(message) : message)),
  }
}

function withMark(message: Message): unknown {
  const last = message.content.findLastIndex((block) => !UNMARKABLE.has(block.type))
  const content = message.content.map((block, index) => (index === last ? { ...block, ...MARK } : block))
  return { ...message, content }
}

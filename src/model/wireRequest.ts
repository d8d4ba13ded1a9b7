import type { MessageStreamParams } from '@anthropic-ai/sdk/resources/messages/messages'
import type { Message } from '../contracts/messages.ts'
import type { ModelRequest } from '../contracts/model.ts'
import { cacheMarks } from './cacheMarks.ts'

/**
 * The request as it goes over the wire: strings are well-formed, no text block is blank, prompt-cache marks are set. The
 * order of keys is fixed, with what grows (`messages`) last. Pure.
 */
export function wireRequest(request: ModelRequest): MessageStreamParams {
  const { system, tools, messages } = wellFormed({
    system: request.system,
    tools: request.tools,
    messages: request.messages.map(withoutBlanks),
  })
  const params = { model: request.model, max_tokens: request.maxTokens, ...cacheMarks({ system, tools, messages }) }
  // The contract's messages are the API's; only `readonly` and the open list of block types stand between the two types.
  return params as unknown as MessageStreamParams
}

/** Models send blank text beside tool calls; the API takes it from nobody. */
function withoutBlanks(message: Message): Message {
  if (message.role !== 'assistant') return message
  const content = message.content.filter((block) => block.type !== 'text' || String(block['text']).trim() !== '')
  return content.length === message.content.length ? message : { ...message, content }
}

/**
 * The same value with every lone surrogate replaced by U+FFFD: a cut emoji would make the whole request invalid JSON. What has
 * none is not copied, since each turn sends the whole conversation again.
 */
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

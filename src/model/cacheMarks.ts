import type { Message } from '../contracts/messages.ts'
import type { ModelRequest } from '../contracts/model.ts'

const MARK = { cache_control: { type: 'ephemeral' } } as const

/** Blocks that the API does not accept a mark on. */
const UNMARKABLE: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking'])

/**
 * The parts of a request with prompt-cache marks: on the last tool that is not deferred, on the system prompt, and on the last block of the
 * two latest user messages. The API accepts four marks. The older message mark finds the cache entry of the previous
 * request, however many blocks were added since ("Prompt caching": the API looks back 20 blocks). Without marks, the
 * parts of a request start with the same bytes as those of the previous one. Pure.
 */
export function cacheMarks(request: Pick<ModelRequest, 'system' | 'tools' | 'messages'>) {
  const { system, tools, messages } = request
  const marked = new Set(latestUserMessages(messages))
  // The API refuses a mark on a deferred tool, which is no part of the cached prefix.
  const lastTool = tools.findLastIndex((tool) => !('defer_loading' in tool))
  return {
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...MARK }] }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool, i) => (i === lastTool ? { ...tool, ...MARK } : tool)) }),
    messages: messages.map((message, index) => (marked.has(index) ? withMark(message) : message)),
  }
}

function latestUserMessages(messages: readonly Message[]): number[] {
  return [...messages.keys()].filter((index) => messages[index]?.role === 'user').slice(-2)
}

function withMark(message: Message): unknown {
  const last = message.content.findLastIndex((block) => !UNMARKABLE.has(block.type))
  const content = message.content.map((block, index) => (index === last ? { ...block, ...MARK } : block))
  return { ...message, content }
}

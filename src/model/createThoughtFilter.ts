import type { Message } from '../contracts/messages.ts'
import { ModelError, type ModelRequest } from '../contracts/model.ts'

type Block = Message['content'][number]

/**
 * Newer models accept a thought only if nothing before it has changed since, be it a tool that was loaded or an image
 * that was left out; otherwise the API answers with 400. Such a conversation goes on without the thoughts so far.
 * Source: "Prefix checks on thinking blocks" of the API's documentation.
 */
export function createThoughtFilter() {
  const refused = new WeakSet<Block>()
  const isKept = (block: Block) => !refused.has(block)
  return {
    /** The request without refused thoughts. */
    apply(request: ModelRequest): ModelRequest {
      if (request.messages.every(({ content }) => content.every(isKept))) return request
      return { ...request, messages: request.messages.map((message) => without(message, isKept)) }
    },
    /** True if this error refuses thoughts of the request: they are left out from now on, so that it can be sent again. */
    refuse(request: ModelRequest, error: unknown): boolean {
      if (!(error instanceof ModelError) || error.status !== 400 || !/thinking[`"']? block/i.test(error.message))
        return false
      const thoughts = request.messages
        .flatMap(({ content }): readonly Block[] => content)
        .filter(({ type }) => type === 'thinking' || type === 'redacted_thinking')
      const isNew = thoughts.some(isKept)
      for (const block of thoughts) refused.add(block)
      return isNew
    },
  }
}

/** An answer that was nothing but thoughts keeps its place: the API takes no empty message. */
function without(message: Message, isKept: (block: Block) => boolean): Message {
  if (message.role !== 'assistant') return message
  const content = message.content.filter(isKept)
  return { ...message, content: content.length > 0 ? content : [{ type: 'text', text: '(no words)' }] }
}

import type { Message, UserContent } from '../../contracts/messages.ts'
import type { ModelClient, ModelEvent, ModelRequest, StreamPart } from '../../contracts/model.ts'
import { isObject } from '../../lib/isObject.ts'
import { memoizeFor } from '../../lib/memoize.ts'
import type { Redactor } from '../../lib/secrets/redact.ts'
import { mapTexts } from '../../query/runTools/limitResult.ts'

/**
 * A model client whose requests contain no known secret, wherever it came from: the task, a tool, a hook, a server, a
 * side request. The model's own messages are sent back unchanged. Equal blocks stay equal.
 */
export function redactRequests(client: ModelClient, forModel: (text: string) => string): ModelClient {
  const redactBlock = memoizeFor((block: UserContent) => withoutSecrets(block, forModel))
  const redactTool = memoizeFor((tool: Offered): Offered => JSON.parse(forModel(JSON.stringify(tool))))
  const redactMessage = memoizeFor(
    (message: Message): Message =>
      message.role === 'user' ? { ...message, content: message.content.map(redactBlock) } : message,
  )
  return {
    ...client,
    stream: (request, signal) =>
      client.stream(
        {
          ...request,
          system: forModel(request.system),
          tools: request.tools.map(redactTool),
          messages: request.messages.map(redactMessage),
        },
        signal,
      ),
  }
}

type Offered = ModelRequest['tools'][number]

function withoutSecrets(block: UserContent, forModel: (text: string) => string): UserContent {
  if (block.type === 'text') return { ...block, text: forModel(block.text) }
  if (block.type !== 'tool_result') return block
  return { ...block, content: mapTexts(block.content, forModel) }
}

/** The deltas that carry text, and the field that holds it. */
const TEXTS = { text_delta: 'text', thinking_delta: 'thinking' } as const

/**
 * A model client whose parts contain no secret: the text of each block is held back while its end may become one, and
 * what is left comes before the end of the block.
 */
export function redactParts(client: ModelClient, redactor: Redactor): ModelClient {
  return {
    ...client,
    async *stream(request, signal) {
      if (request.hasParts !== true) return yield* client.stream(request, signal)
      const blocks = new Map<
        unknown,
        { readonly type: keyof typeof TEXTS; readonly text: ReturnType<Redactor['stream']> }
      >()
      for await (const event of client.stream(request, signal)) {
        if (event.type === 'part') yield* redacted(event.event)
        else yield event
      }

      function* redacted(part: StreamPart): Generator<ModelEvent> {
        if (part.type === 'message_start') blocks.clear()
        const { index, delta } = part
        const open = blocks.get(index)
        if (part.type === 'content_block_stop' && open !== undefined) {
          const rest = open.text.flush()
          if (rest !== '') yield textPart(index, open.type, rest)
        }
        const type = isObject(delta) ? (delta['type'] as keyof typeof TEXTS) : undefined
        if (part.type !== 'content_block_delta' || type === undefined || !Object.hasOwn(TEXTS, type)) {
          // The input of a tool comes whole, with its block.
          if (type !== ('input_json_delta' as string)) yield { type: 'part', event: part }
          return
        }
        const block = open ?? { type, text: redactor.stream() }
        blocks.set(index, block)
        const text = block.text.push(String((delta as Record<string, unknown>)[TEXTS[type]] ?? ''))
        if (text !== '') yield textPart(index, type, text)
      }
    },
  }
}

function textPart(index: unknown, type: keyof typeof TEXTS, text: string): ModelEvent {
  return { type: 'part', event: { type: 'content_block_delta', index, delta: { type, [TEXTS[type]]: text } } }
}

import type { Usage } from '../../contracts/messages.ts'

/** One answer of a model, in a form that people can write. */
export type Turn = {
  readonly think?: string | undefined
  readonly say?: string | undefined
  readonly tools?: readonly { readonly name: string; readonly input: unknown; readonly id?: string | undefined }[]
  /** `tool_use` if there are tools, else `end_turn`. */
  readonly stop?: string | null | undefined
  readonly usage?: Partial<Usage> | undefined
}

/** `id` makes message and tool ids unique within a conversation. */
type TurnIdentity = { readonly id: string; readonly model: string }

const USAGE: Usage = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

/**
 * The server-sent events of the Messages API for such an answer, each with its blank line. Equal turns give equal
 * bytes. The events are in the order of "Streaming messages" in the API's documentation.
 */
export function renderTurn(turn: Turn, identity: TurnIdentity): string[] {
  const usage = { ...USAGE, ...turn.usage }
  const blocks = renderBlocks(turn, identity.id)
  const stop = turn.stop === undefined ? (turn.tools?.length ? 'tool_use' : 'end_turn') : turn.stop
  return [
    renderEvent({
      type: 'message_start',
      message: {
        id: `msg_${identity.id}`,
        type: 'message',
        role: 'assistant',
        model: identity.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1 },
      },
    }),
    renderEvent({ type: 'ping' }),
    ...blocks.flatMap((block, index) => [
      renderEvent({ type: 'content_block_start', index, content_block: block.start }),
      ...block.deltas.map((delta) => renderEvent({ type: 'content_block_delta', index, delta })),
      renderEvent({ type: 'content_block_stop', index }),
    ]),
    renderEvent({
      type: 'message_delta',
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    }),
    renderEvent({ type: 'message_stop' }),
  ]
}

/** One server-sent event; its name is the data's `type`. */
export function renderEvent(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

type RenderedBlock = { readonly start: unknown; readonly deltas: readonly unknown[] }

function renderBlocks(turn: Turn, id: string): RenderedBlock[] {
  const blocks: RenderedBlock[] = []
  if (turn.think !== undefined) {
    const thinking = pieces(turn.think).map((piece) => ({ type: 'thinking_delta', thinking: piece }))
    const signature = { type: 'signature_delta', signature: `signature-${id}` }
    blocks.push({ start: { type: 'thinking', thinking: '', signature: '' }, deltas: [...thinking, signature] })
  }
  if (turn.say !== undefined) {
    const deltas = pieces(turn.say).map((text) => ({ type: 'text_delta', text }))
    blocks.push({ start: { type: 'text', text: '' }, deltas })
  }
  for (const [index, tool] of (turn.tools ?? []).entries()) {
    const json = typeof tool.input === 'string' ? tool.input : JSON.stringify(tool.input ?? {})
    const deltas = pieces(json).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    const start = { type: 'tool_use', id: tool.id ?? `toolu_${id}_${index + 1}`, name: tool.name, input: {} }
    blocks.push({ start, deltas })
  }
  return blocks
}

/** Whole characters only, as the API sends them. */
function pieces(text: string): string[] {
  return text.match(/.{1,48}/gsu) ?? []
}

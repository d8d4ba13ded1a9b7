import { once } from 'node:events'
import { createServer } from 'node:http'
import { performance } from 'node:perf_hooks'

/**
 * A loopback model that answers at once, with the Messages API and the Responses API. `model.answer(request)` says what the
 * model does: `{ body, text, at }` to the calls `[{ id, name, namespace, input }]`, none for its last words.
 */
export async function openModel() {
  const model = { url: '', answer: async () => [], close: () => server.close() }
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const at = performance.now()
    const show = /\/messages(\?|$)/.test(request.url) ? asMessages : /\/responses$/.test(request.url) && asResponses
    if (!show) return response.writeHead(404).end('{}')
    const text = Buffer.concat(chunks).toString()
    const body = JSON.parse(text)
    // Without tools it is no turn, but a side errand such as a title.
    const calls = body.tools?.length > 0 ? await model.answer({ body, text, at }) : []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      show(calls)
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  model.url = `http://127.0.0.1:${server.address().port}`
  return model
}

let answers = 0

/** The events of Anthropic's streaming Messages API. */
function asMessages(calls) {
  const message = {
    id: `msg_${++answers}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  }
  const blocks = calls.map(({ id, name, input }) => [
    { type: 'tool_use', id, name, input: {} },
    { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  ])
  if (blocks.length === 0)
    blocks.push([
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'done' },
    ])
  const stop = { stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null }
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(([content_block, delta], index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: stop, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
}

/** The events of OpenAI's streaming Responses API. */
function asResponses(calls) {
  const id = `resp_${++answers}`
  const items = calls.map(({ id: call_id, name, namespace, input }) => ({
    type: 'function_call',
    id: `fc_${call_id}`,
    call_id,
    name,
    ...(namespace && { namespace }),
    arguments: JSON.stringify(input),
  }))
  const content = [{ type: 'output_text', text: 'done' }]
  if (items.length === 0) items.push({ type: 'message', role: 'assistant', id: `item_${id}`, content })
  const usage = {
    input_tokens: 10,
    input_tokens_details: null,
    output_tokens: 5,
    output_tokens_details: null,
    total_tokens: 15,
  }
  return [
    { type: 'response.created', response: { id } },
    ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { id, usage } },
  ]
}

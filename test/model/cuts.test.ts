import { expect, test } from 'vitest'
import { ModelFault } from '../../src/model/ModelFault.ts'
import { renderEvent } from '../../src/model/replay/renderTurn.ts'
import { replayedResponse } from '../../src/model/replay/replayedResponse.ts'
import type { Exchange } from '../../src/model/stream/streamAttempt.ts'
import { ask, startModel } from '../helpers/model/modelRun.ts'

/** A short answer with characters of two and four bytes. */
const EVENTS = [
  {
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'Read', input: {} } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"path":"/é🎉"}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
].map(renderEvent)

const BYTES = Buffer.from(EVENTS.join(''))

/** Every second answer is whole; the one before it breaks off after one byte more than the last time. */
function cutting(): Exchange {
  let calls = 0
  return () => async () => {
    const length = calls % 2 === 0 ? calls / 2 : BYTES.length
    calls += 1
    const cut = new ModelFault({ kind: 'connection', reason: 'api_unavailable', message: 'cut', canRetry: true })
    const init = { status: 200, headers: { 'content-type': 'text/event-stream' } }
    return replayedResponse(init, BYTES.subarray(0, length), length < BYTES.length ? cut : undefined)
  }
}

test('row 13: cut after any byte, the retried answer is complete and nothing of the cut one is left', {
  tags: 'long',
}, async () => {
  const { client } = await startModel([], { maxRetries: 1, exchanges: [cutting()] })
  const seen = new Set<string>()
  for (let k = 0; k < BYTES.length; k += 1) {
    const { events, message } = await ask(client)
    expect(events.filter((event) => event.type === 'retry')).toHaveLength(1)
    seen.add(JSON.stringify(message))
  }
  expect([...seen]).toHaveLength(1)
  expect([...seen][0]).toContain('"input":{"path":"/é🎉"}')
})

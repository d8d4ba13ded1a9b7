import { describe, expect, it } from 'vitest'
import { createMessages } from '../../../src/model/createMessages.ts'
import { streamAttempt } from '../../../src/model/stream/streamAttempt.ts'
import { SHORT_TIMERS } from '../../helpers/model/modelRun.ts'

const START = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
const BEGINNING = `event: message_start
data: ${JSON.stringify({ type: 'message_start', message: { ...START, usage: { input_tokens: 1, output_tokens: 1 } } })}

`

/** An answer that begins, and then neither goes on nor heeds any signal. */
function deafAnswer() {
  const left: unknown[] = []
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(BEGINNING)),
    cancel: (reason) => void left.push(reason),
  })
  const headers = { 'content-type': 'text/event-stream' }
  const fetch = async () => new Response(body, { headers })
  return { left, messages: createMessages({ apiKey: 'key', baseURL: 'http://127.0.0.1', maxRetries: 0, fetch }) }
}

const PARAMS = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'x' }] }

describe('an answer that ignores its signal', () => {
  it('is abandoned with the signal of the run', async () => {
    const { left, messages } = deafAnswer()
    const run = new AbortController()
    const timers = { ...SHORT_TIMERS, firstByteMs: 60_000, idleMs: 60_000 }
    const attempt = streamAttempt({ messages, params: PARAMS, signal: run.signal, timers, exchanges: [] })
    expect((await attempt.next()).value).toMatchObject({ type: 'begun' })
    const next = attempt.next()
    run.abort(new Error('the run is told to end'))
    await expect(next).rejects.toThrow('the run is told to end')
    expect(left).toHaveLength(1)
  })

  it('is abandoned after its silence', { tags: 'long' }, async () => {
    const { left, messages } = deafAnswer()
    const signal = new AbortController().signal
    const attempt = streamAttempt({ messages, params: PARAMS, signal, timers: SHORT_TIMERS, exchanges: [] })
    expect((await attempt.next()).value).toMatchObject({ type: 'begun' })
    await expect(attempt.next()).rejects.toThrow('silent in mid-answer')
    expect(left).toHaveLength(1)
  })
})

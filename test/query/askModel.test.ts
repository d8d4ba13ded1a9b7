import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/contracts/messages.ts'
import { ModelError, type ModelEvent } from '../../src/contracts/model.ts'
import {
  compaction,
  image,
  type LabAnswer,
  type LabRun,
  playLoop,
  text,
  tooLong,
  use,
} from '../helpers/runs/loopLab.ts'

const USAGE = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const events = (run: LabRun) => run.events.filter((event) => event.type === 'system')

describe('what happens on the way to an answer', () => {
  it('is recorded: waits, silence, another model', async () => {
    const before: ModelEvent[] = [
      {
        ...{ type: 'retry', attempt: 1, maxRetries: 9, delayMs: 500, status: 529, error: 'overloaded' },
        ...{ source: 'backoff', detail: 'busy' },
      } as ModelEvent,
      { type: 'stall', phase: 'idle', silentMs: 60_000 },
      { type: 'fallback', from: 'm', to: 'n', detail: '3 times' },
    ]
    const run = await playLoop([{ content: [{ type: 'text', text: 'done' }], stop: 'end_turn', before }])
    const owner = { type: 'system', parent_tool_use_id: null }
    expect(run.events.slice(0, 4)).toEqual([
      { ...owner, subtype: 'activity', text: 'waiting for m' },
      {
        ...{ ...owner, subtype: 'api_retry', attempt: 1, max_retries: 9, retry_delay_ms: 500, error_status: 529 },
        ...{ error: 'overloaded', source: 'backoff', detail: 'busy' },
      },
      { ...owner, subtype: 'api_stall', phase: 'idle', silent_ms: 60_000 },
      { ...owner, subtype: 'model_fallback', from: 'm', to: 'n', detail: '3 times' },
    ])
  })

  it('the id of the request is recorded where the API sent one', async () => {
    for (const requestId of ['req_1', undefined]) {
      const { events } = await playLoop([{ ...text('done'), ...(requestId === undefined ? {} : { requestId }) }])
      const answers = events.filter(({ type }) => type === 'assistant')
      expect(answers.map((event) => 'requestId' in event && event.requestId)).toEqual([requestId ?? false])
    }
  })

  it('a discarded answer is recorded with what it cost; its calls are none of the next answer', async () => {
    const discarded: ModelEvent = { type: 'discarded', reason: 'it was cut', blocks: 1, model: 'm', usage: USAGE }
    const before: ModelEvent[] = [{ type: 'block', index: 0, block: use('a', 'Look') }, discarded]
    const run = await playLoop([{ content: [use('b', 'Look')], stop: 'tool_use', before }, text('done')])
    expect(events(run).find((event) => event.subtype === 'turn_discarded')).toMatchObject({
      ...{ reason: 'it was cut', blocks: 1, spent: { model: 'm', usage: USAGE }, parent_tool_use_id: null },
      early: [{ tool_use_id: 'a', tool_name: 'Look' }],
    })
    expect(run.messages[1]?.content).toEqual([use('b', 'Look')])
    expect(run.messages[2]?.content).toHaveLength(1)
  })

  it('an answer that never comes to its end ends the run', async () => {
    const run = await playLoop([{ fails: new ModelError('bad_stream', 'api_unavailable', 'cut') }])
    expect(run.end).toMatchObject({ reason: 'api_unavailable', detail: 'cut' })
    await expect(playLoop([{ fails: new TypeError('a defect') }])).rejects.toThrow('a defect')
  })

  it('a call that cannot be read is told the model, and left out of an answer that makes no calls', async () => {
    const call = use('a', 'Note')
    const unread = (stop: string): LabAnswer => ({
      content: [],
      stop,
      before: [{ type: 'block', index: 0, block: call, problem: 'it is no JSON' }],
    })
    const run = await playLoop([unread('tool_use'), unread('pause_turn'), text('done')])
    expect(run.called).toEqual([])
    expect(run.messages[2]?.content).toMatchObject([{ content: 'it is no JSON', is_error: true }])
    expect(run.messages.flatMap(({ content }) => content.map(({ type }) => type))).toEqual([
      ...['text', 'tool_use', 'tool_result', 'text'],
    ])
  })

  it('an answer leaves out text of blanks and thinking that broke off, which the API would reject', async () => {
    const thinking = (signature: string) => ({ type: 'thinking', thinking: 't', signature }) as const
    const run = await playLoop([
      {
        content: [thinking(''), thinking('s'), { type: 'text', text: ' ' }, { type: 'text', text: 'done' }],
        stop: 'end_turn',
      },
    ])
    expect(run.messages[1]?.content).toEqual([thinking('s'), { type: 'text', text: 'done' }])
  })

  it('a conversation loses its oldest images first if the request is too large, once', async () => {
    const withImage = { role: 'user', content: [image, { type: 'text', text: 'see' }] } as const
    const { asked, compact } = compaction([withImage as unknown as Message])
    const run = await playLoop([tooLong('context_too_long'), tooLong('request_too_large'), text('done')], {
      compact,
    })
    expect(run.end.reason).toBe('completed')
    expect(events(run)).toContainEqual({
      ...{ type: 'system', subtype: 'warning', code: 'images_dropped' },
      message: 'The request was too large: 1 of the oldest images and documents were left out.',
    })
    expect(run.messages[0]?.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('left out') })
    expect(asked).toEqual(['error'])
  })
})

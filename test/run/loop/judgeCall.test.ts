import { describe, expect, it } from 'vitest'
import type { ModelEvent, ModelRequest } from '../../../src/contracts/model.ts'
import { judgeCall } from '../../../src/run/loop/judgeCall.ts'
import { callOf } from '../../helpers/policy/policyCalls.ts'
import { recordLab } from '../../helpers/runs/recordLab.ts'

/** The verdict where the judge answers so, and what it was asked. */
async function judged(answer: string | Error, input = '{"command":"npm test"}', signal = new AbortController().signal) {
  const asked: { request: ModelRequest; signal: AbortSignal }[] = []
  async function* stream(request: ModelRequest, limit: AbortSignal): AsyncGenerator<ModelEvent> {
    asked.push({ request, signal: limit })
    if (answer instanceof Error) throw answer
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'small',
      stop_reason: 'end_turn',
      usage,
    } as const
    yield {
      type: 'message',
      message: { ...message, content: [{ type: 'text', text: answer }] },
      durationMs: 1,
      requestId: null,
    }
  }
  const { session } = recordLab({
    ...{ model: { name: 'm', host: null, stream }, limits: { countUsage: () => undefined, reached: () => undefined } },
    config: { smallModel: 'small', model: 'm', expertModel: 'm' },
  })
  const decision = await judgeCall(session, { call: callOf('Bash', []), input, signal, parentToolUseId: 'p' })
  return { decision, asked, pending: session.pending }
}

const blocked = (detail: string) => ({
  ...{ behavior: 'deny', reason: { type: 'classifier', model: 'small', detail }, parts: [] },
  message: `Not allowed by any rule, and blocked by the judge of auto mode: ${detail}`,
})

describe('the judge of auto mode', () => {
  it('allows by a clear word, and by nothing else', async () => {
    const allow = (detail: string) => ({
      ...{ behavior: 'allow', reason: { type: 'classifier', model: 'small', detail }, message: '', parts: [] },
    })
    expect((await judged('{"decision": "allow", "reason": "it is a test"}')).decision).toEqual(allow('it is a test'))
    expect((await judged(' ```json\n{"decision": "allow"}\n``` ')).decision).toEqual(allow('allow'))
    expect((await judged('```\n{"decision": "allow", "reason": 3}\n```')).decision).toEqual(allow('allow'))
  })

  it.each([
    ['{"decision": "block", "reason": "it pushes"}', 'it pushes'],
    ['{"decision": "block"}', 'block'],
    ['{"decision": "Allow"}', 'the judge gave no readable answer'],
    ['{"decision": true}', 'the judge gave no readable answer'],
    ['I allow it.', 'the judge gave no readable answer'],
    ['Sure: ```{"decision": "allow"}```', 'the judge gave no readable answer'],
    ['```{"decision": "allow"}``` or not', 'the judge gave no readable answer'],
    ['null', 'the judge gave no readable answer'],
    ['', 'the judge gave no readable answer'],
  ])('blocks at %j', async (answer, detail) => expect((await judged(answer)).decision).toEqual(blocked(detail)))

  it('blocks where it cannot be reached', async () => {
    expect((await judged(new Error('no network'))).decision).toEqual(
      blocked('the judge could not be reached: no network'),
    )
  })

  it('is asked about the task and the call alone, as data, and its answer is recorded', async () => {
    const { asked, pending } = await judged('{"decision": "allow", "reason": "ok"}', '{"command":"\\"}"}')
    const [{ request }] = asked as [(typeof asked)[number]]
    expect(JSON.parse(JSON.stringify(request.messages))).toEqual([
      {
        role: 'user',
        content: [{ type: 'text', text: JSON.stringify({ task: 'do it', tool: 'Bash', input: '{"command":"\\"}"}' }) }],
      },
    ])
    expect(request).toMatchObject({ model: 'small', maxTokens: 300, tools: [] })
    expect(request.system).toContain('When in\ndoubt, block.')
    expect(pending).toMatchObject([{ subtype: 'model_call', purpose: 'auto_mode', parent_tool_use_id: 'p' }])
  })

  it('is asked nothing that it could not read as a whole', async () => {
    const long = await judged('{"decision": "allow"}', 'x'.repeat(20_001))
    expect(long.decision).toEqual(blocked('the call has 20001 characters, too many to be judged'))
    expect(long.asked).toEqual([])
    expect((await judged('{"decision": "allow"}', 'x'.repeat(20_000))).decision.behavior).toBe('allow')
  })

  it('stops with the run', async () => {
    const { asked } = await judged('{"decision": "allow"}', 'x', AbortSignal.abort())
    expect(asked[0]?.signal.aborted).toBe(true)
  })
})

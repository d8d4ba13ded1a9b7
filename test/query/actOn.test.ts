import { describe, expect, it } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import type { RunEvent } from '../../src/contracts/events.ts'
import { ModelError } from '../../src/contracts/model.ts'
import { type LabAnswer, type LabRun, playLoop, text, use } from '../helpers/runs/loopLab.ts'

const calls = (...content: Extract<LabAnswer, { content: unknown }>['content']): LabAnswer => ({
  content,
  stop: 'tool_use',
})
const stopped = (stop: string | null, ...content: Extract<LabAnswer, { content: unknown }>['content']): LabAnswer => ({
  content,
  stop,
})
const discards = ({ events }: LabRun) =>
  events.flatMap((event) => (event.type === 'system' && event.subtype === 'turn_discarded' ? [event.reason] : []))
const outcomes = ({ events }: LabRun) =>
  events.flatMap((event) =>
    event.type === 'user' ? (event.tool_use_result ?? []).map((one) => [one.tool_use_id, one.outcome]) : [],
  )
const resultsOf = ({ messages }: LabRun) =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [[block.tool_use_id, block.content]] : [])),
  )

describe('an answer that ends the turn', () => {
  it('ends the run with its words', async () => {
    const run = await playLoop([text('all done')])
    expect(run.end).toEqual({
      reason: 'completed',
      detail: 'The agent ended its turn.',
      result: 'all done',
      stopReason: 'end_turn',
    })
    expect((await playLoop([text('all done', 'stop_sequence')])).end.reason).toBe('completed')
  })

  it('keeps the last words there were, where the last answer has none', async () => {
    const run = await playLoop([
      {
        content: [{ type: 'text', text: 'I look' }, { type: 'text', text: 'closely' }, use('a', 'Look')],
        stop: 'tool_use',
      },
      calls(use('b', 'Look')),
      { fails: new ModelError('overloaded', 'api_unavailable', 'busy', { status: 529 }) },
    ])
    expect(run.end).toEqual({
      reason: 'api_unavailable',
      detail: 'busy',
      result: 'I look\nclosely',
      stopReason: 'tool_use',
    })
  })

  it('may be empty once: the agent is told, and the second time ends the run', async () => {
    const again = await playLoop([text(' '), text('done')])
    expect(again.requests[1]?.said).toMatch(/^Your last answer was empty\./)
    expect(again.end.reason).toBe('completed')
    expect((await playLoop([text(' '), stopped('end_turn')])).end).toMatchObject({
      reason: 'empty_answer',
      detail: 'The model gave an empty answer twice.',
    })
  })

  it('runs none of its calls, but keeps the results of those that ran already', async () => {
    const run = await playLoop([stopped('end_turn', use('early', 'Look'), use('late', 'Note')), text('done')])
    expect(run.called).toEqual(['early'])
    expect(outcomes(run)).toEqual([
      ['early', 'ok'],
      ['late', 'aborted'],
    ])
    expect(resultsOf(run)).toEqual([
      ['early', 'Look early'],
      ['late', 'Not run: the message ended with end_turn.'],
    ])
    expect(run.end.reason).toBe('completed')
  })
})

describe('calls', () => {
  it('run, and their results stand in their order, in one message behind the answer', async () => {
    const run = await playLoop([calls(use('a', 'Note'), use('b', 'Look'), use('c', 'Note')), text('done')])
    expect(run.called).toEqual(['a', 'b', 'c'])
    expect(run.messages.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['tool_use', 'tool_use', 'tool_use']],
      ['user', ['tool_result', 'tool_result', 'tool_result']],
      ['assistant', ['text']],
    ])
    expect(outcomes(run)).toEqual([
      ['a', 'ok'],
      ['b', 'ok'],
      ['c', 'ok'],
    ])
  })

  it('that fail again and again get a word, then end the run', async () => {
    const run = await playLoop(Array.from({ length: 6 }, (_, at) => calls(use(`f${at}`, 'Fail', 'same'))))
    expect(run.requests.map(({ said }) => said.slice(0, 31))).toEqual([
      'do it',
      ...['tool_result', 'tool_result', 'This call has failed 3 times: F', 'tool_result', 'tool_result'],
    ])
    expect(run.end).toMatchObject({
      reason: 'loop',
      detail: expect.stringMatching(/^The same call failed 6 times: Fail/),
    })
  })

  it('are not made by a stop reason alone', async () => {
    expect((await playLoop([stopped('tool_use', { type: 'text', text: 'hm' })])).end.reason).toBe('completed')
  })
})

describe('a turn that the API paused', () => {
  const pause = text('so far', 'pause_turn')

  it('goes on, and is one answer', async () => {
    const run = await playLoop([text('one', 'pause_turn'), text('two', 'pause_turn'), text('three')])
    expect(run.messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 3],
    ])
    expect(run.end).toMatchObject({ reason: 'completed', result: 'three' })
  })

  it('may be paused ten times in a row: the count begins anew with every other answer', async () => {
    const ten = Array(10).fill(pause)
    expect((await playLoop([...ten, text('done')])).end.reason).toBe('completed')
    expect((await playLoop([...ten, calls(use('a', 'Look')), ...ten, text('done')])).end.reason).toBe('completed')
    expect((await playLoop([...ten, pause])).end).toMatchObject({
      reason: 'loop',
      detail: 'The API paused the turn 10 times.',
    })
  })
})

describe('an answer that the output limit cut', () => {
  const cut = text('so f', 'max_tokens')
  const cutCall = stopped('max_tokens', use('a', 'Look'), use('b', 'Note'))

  it('is kept, and the agent goes on from it', async () => {
    const run = await playLoop([cut, text('done')])
    expect(run.requests[1]).toEqual({
      maxTokens: 8_000,
      said: 'Your answer was cut by the output limit. Continue where it ended, in smaller steps.',
    })
    expect(discards(run)).toEqual([])
  })

  it('in a call is asked for anew with twice the room, then answered with a word; the third in a row ends the run', async () => {
    const run = await playLoop([cutCall, cutCall, cutCall])
    expect(run.requests.map(({ maxTokens }) => maxTokens)).toEqual([8_000, 16_000, 16_000])
    expect(discards(run)).toEqual(['the output limit cut a tool call', 'the output limit cut it'])
    expect(resultsOf(run)).toEqual([
      ['a', 'Look a'],
      ['b', 'Not run: the output limit truncated this call. Do it in smaller steps.'],
    ])
    expect(run.called).not.toContain('b')
    expect(run.end).toMatchObject({
      reason: 'max_tokens',
      detail: '3 answers in a row were cut at 16000 output tokens (run.maxTokens).',
    })
  })

  it('counts anew after one that was not cut', async () => {
    const run = await playLoop([cut, cut, calls(use('a', 'Look')), cut, cut, text('done')])
    expect(run.end.reason).toBe('completed')
    expect((await playLoop([cut, cut, cut])).end.reason).toBe('max_tokens')
  })

  it('never asks for more than 64,000 tokens', async () => {
    const run = await playLoop([
      ...[cutCall, calls(use('c', 'Look')), cutCall, calls(use('d', 'Look')), cutCall, calls(use('e', 'Look'))],
      ...[cutCall, text('done')],
    ])
    expect(run.requests.map(({ maxTokens }) => maxTokens)).toEqual([
      ...[8_000, 16_000, 16_000, 32_000, 32_000, 64_000, 64_000, 64_000],
    ])
  })
})

describe('an answer that nothing follows from', () => {
  it.each([
    [
      'refusal',
      'the model refused',
      'refusal',
      'The model refused to continue. Put the task in other words, or choose another model.',
    ],
    [
      'model_context_window_exceeded',
      "the model's context window is full",
      'context_exhausted',
      "The conversation fills the model's context window.",
    ],
    ['later', 'stop_reason "later"', 'bad_stop_reason', 'The API ended the message with stop_reason "later".'],
    [null, 'stop_reason null', 'bad_stop_reason', 'The API ended the message with stop_reason null.'],
  ])('%s: its calls do not run, it is void, and ends the run', async (stop, why, reason, detail) => {
    const run = await playLoop([stopped(stop, { type: 'text', text: 'no' }, use('a', 'Note'))])
    expect(run.called).toEqual([])
    expect(discards(run)).toEqual([why])
    expect(run.events.at(-1)).toMatchObject({ subtype: 'turn_discarded', blocks: 2, message_id: 'm1' })
    expect(run.messages).toHaveLength(1)
    expect(run.end).toEqual({ reason, detail, result: 'no', stopReason: stop })
  })

  it('is made up for by a shorter conversation where the window is full', async () => {
    const shorter = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'short' }] }]
    const run = await playLoop([stopped('model_context_window_exceeded'), text('done')], {
      // biome-ignore lint/correctness/useYield: it says nothing on the way
      compact: async function* () {
        return shorter
      },
    })
    expect(run.requests.map(({ said }) => said)).toEqual(['do it', 'short'])
    expect(run.end.reason).toBe('completed')
  })
})

describe('the end of a run', () => {
  it('is that of Finish, with its words', async () => {
    const reasons = { completed: 'completed', blocked: 'blocked', failed: 'task_failed' }
    for (const [status, reason] of Object.entries(reasons)) {
      const run = await playLoop([calls(use('f', 'Finish', status))])
      expect(run.end).toMatchObject({ reason, result: `finished: ${status}` })
    }
  })

  it('is asked for where Finish is wanted: twice, then the task has failed', async () => {
    const run = await playLoop([text('a'), text('b'), text('c')], { mustFinish: () => 'Call Finish.' })
    expect(run.requests.map(({ said }) => said)).toEqual(['do it', 'Call Finish.', 'Call Finish.'])
    expect(run.end).toMatchObject({
      reason: 'task_failed',
      detail: 'The agent did not call Finish, which the policy or the output schema requires.',
    })
  })

  it('is asked of Stop hooks, which may send the agent back eight times', async () => {
    const back = { decision: 'deny', reason: 'tests fail' } as const
    const run = await playLoop([text('a'), text('b')], { stopHooks: [back] })
    expect(run.asked).toEqual([
      { isActive: false, lastMessage: 'a' },
      { isActive: true, lastMessage: 'b' },
    ])
    expect(run.requests[1]?.said).toBe('tests fail')
    expect(run.end.reason).toBe('completed')
    const mute = await playLoop([text('a'), text('b')], { stopHooks: [{ decision: 'deny' }] })
    expect(mute.requests[1]?.said).toBe('A Stop hook says that you are not done.')
    const endless = await playLoop(Array(9).fill(text('a')), { stopHooks: Array(9).fill(back) })
    expect(endless.end).toMatchObject({
      reason: 'stop_hook_loop',
      detail: 'A Stop hook sent the agent back 8 times: tests fail',
    })
  })

  it('is that of a Stop hook which says stop, or fails', async () => {
    expect((await playLoop([text('a')], { stopHooks: [{ stop: 'enough' }] })).end).toMatchObject({
      reason: 'stopped_by_hook',
      detail: 'enough',
    })
    expect(
      (await playLoop([text('a')], { stopHooks: [{ isFailure: true, reason: 'exit code 3' }] })).end,
    ).toMatchObject({
      reason: 'stop_hook_failed',
      detail: 'h.sh: exit code 3',
    })
  })

  it('makes the report void where a Stop hook sends the agent back', async () => {
    const run = await playLoop([calls(use('f', 'Finish', 'completed')), text('more'), text('again')], {
      stopHooks: [{ decision: 'deny', reason: 'not yet' }],
    })
    expect(run.asked).toHaveLength(2)
    expect(run.end).toMatchObject({ reason: 'completed', detail: 'The agent ended its turn.', result: 'more' })
  })

  it('is that of a limit, before another request', async () => {
    const run = await playLoop([calls(use('a', 'Look'))], { turns: 1 })
    expect(run.requests).toHaveLength(1)
    expect(run.end.reason).toBe('max_turns')
  })

  it('is that of the signal, whose reason says why', async () => {
    const controller = new AbortController()
    const onEvent = (event: RunEvent) => {
      if (event.type === 'assistant') controller.abort(new RunError('deadline', 'The time is over.'))
    }
    const run = await playLoop([calls(use('a', 'Note'))], { signal: controller.signal, onEvent })
    expect(run.called).toEqual([])
    expect(run.end).toMatchObject({ reason: 'deadline', detail: 'The time is over.' })
    expect(outcomes(run)).toEqual([['a', 'aborted']])
  })

  it('is that of a sub-agent which ended the run', async () => {
    const halt = { reason: 'stopped_by_hook', detail: 'a hook of the sub-agent' } as const
    const run = await playLoop([], { halted: () => halt })
    expect(run.end).toMatchObject(halt)
    expect(run.requests).toEqual([])
  })
})

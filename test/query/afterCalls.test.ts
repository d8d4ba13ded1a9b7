import { describe, expect, it } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import { newLoopState } from '../../src/query/Loop.ts'
import { type LabAnswer, type LabOptions, playLoop, text, use } from '../helpers/runs/loopLab.ts'

const calls = (...content: Extract<LabAnswer, { content: unknown }>['content']): LabAnswer => ({
  content,
  stop: 'tool_use',
})
const SILENT = { decision: 'none', reason: '', hook: 'h.sh', isFailure: false, additionalContext: [] } as const

/** Hooks that are asked after each call. */
const answering = (verdict: object): LabOptions => {
  const answer = async () => ({ ...SILENT, ...verdict })
  const hooks = { has: () => false, preToolUse: async () => SILENT, postToolUse: answer, permissionDenied: answer }
  return { runner: { hooks: { ...hooks, notification: async () => SILENT } as never } }
}

describe('after the calls of a message', () => {
  it('denied ones are remembered, so that a compaction keeps them', async () => {
    const state = newLoopState(8_000)
    await playLoop([calls(use('a', 'Look'), use('b', 'Ban', 'x'), use('c', 'Fail')), text('done')], { state })
    expect(state.denied).toEqual([expect.stringMatching(/^Ban \{"text":"x"\}: Ban: .* is not allowed/)])
  })

  it('the words of hooks follow the results, in the same message; empty ones are left out', async () => {
    const run = await playLoop(
      [calls(use('a', 'Look'), use('b', 'Look')), text('done')],
      answering({ additionalContext: [' ', 'look at x'] }),
    )
    const [, , answer] = run.messages
    const word = { type: 'text', text: '<hook-context>\nlook at x\n</hook-context>' }
    expect(answer?.content.map(({ type }) => type)).toEqual(['tool_result', 'tool_result', 'text', 'text'])
    expect(answer?.content.slice(2)).toEqual([word, word])
  })

  it('a hook may end the run: no further request is sent', async () => {
    const run = await playLoop([calls(use('a', 'Look'))], answering({ stop: 'enough' }))
    expect(run.end).toMatchObject({ reason: 'stopped_by_hook', detail: 'enough' })
    expect(run.messages).toHaveLength(3)
  })

  it('the end of the run comes before that of a sub-agent, then a hook, then Finish', async () => {
    const finish = calls(use('f', 'Finish', 'completed'))
    const halt = { reason: 'max_turns', detail: 'of a sub-agent' } as const
    let isCalled = false
    const halted = () => (isCalled ? halt : undefined)
    const onEvent = () => {
      isCalled = true
    }
    const ended = new AbortController()
    const aborting = (event: { readonly type: string }) => {
      onEvent()
      if (event.type === 'user') ended.abort(new RunError('deadline', 'The time is over.'))
    }
    const stopping = answering({ stop: 'enough' })
    const options = { ...stopping, halted }
    expect((await playLoop([finish], { ...options, onEvent: aborting, signal: ended.signal })).end.reason).toBe(
      'deadline',
    )
    isCalled = false
    expect((await playLoop([finish], { ...options, onEvent })).end).toMatchObject(halt)
    expect((await playLoop([finish], stopping)).end.reason).toBe('stopped_by_hook')
    expect((await playLoop([finish])).end.reason).toBe('completed')
  })
})

describe('an answer', () => {
  it('of blanks alone does not replace the last words', async () => {
    const run = await playLoop([
      { content: [{ type: 'text', text: 'I look' }, use('a', 'Look')], stop: 'tool_use' },
      { content: [{ type: 'text', text: ' \n' }, use('b', 'Finish', 'completed')], stop: 'refusal' },
    ])
    expect(run.end).toMatchObject({ reason: 'refusal', result: 'I look' })
  })

  it('without anything in it leaves no message, which the API would reject', async () => {
    const run = await playLoop([{ content: [], stop: 'pause_turn' }, text('done')])
    expect(run.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('whose calls were refused tells so by errors', async () => {
    const run = await playLoop([{ content: [use('a', 'Note')], stop: 'end_turn' }, text('done')])
    expect(run.messages[2]?.content).toEqual([
      {
        ...{ type: 'tool_result', tool_use_id: 'a', is_error: true },
        content: 'Not run: the message ended with end_turn.',
      },
    ])
  })

  it('leaves out text of blanks and thinking that broke off, which the API would reject', async () => {
    const thinking = (signature: string) => ({ type: 'thinking', thinking: 't', signature }) as const
    const run = await playLoop([
      {
        content: [thinking(''), thinking('s'), { type: 'text', text: ' ' }, { type: 'text', text: 'done' }],
        stop: 'end_turn',
      },
    ])
    expect(run.messages[1]?.content).toEqual([thinking('s'), { type: 'text', text: 'done' }])
  })
})

import { describe, expect, it } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import type { RunEvent } from '../../src/contracts/events.ts'
import { type Loop, newLoopState } from '../../src/query/Loop.ts'
import { answering, calls, playLoop, text, use } from '../helpers/runs/loopLab.ts'

describe('a run that is told to end', () => {
  it('before it begins sends nothing', async () => {
    const ended = new AbortController()
    ended.abort(new RunError('deadline', 'The time is over.'))
    const run = await playLoop([text('done')], { signal: ended.signal })
    expect([run.end.reason, run.end.result, run.requests]).toEqual(['deadline', '', []])
  })

  it('while it is shortened sends nothing more', async () => {
    const ended = new AbortController()
    // biome-ignore lint/correctness/useYield: it says nothing on the way
    const compact: Loop['compact'] = async function* () {
      ended.abort(new RunError('deadline', 'The time is over.'))
      return undefined
    }
    const first = { content: [use('a', 'Look')], stop: 'tool_use', tokens: 5_000 }
    const run = await playLoop([first, text('done')], { compact, compactAt: 1_000, signal: ended.signal })
    expect([run.end.reason, run.requests.length]).toEqual(['deadline', 1])
  })

  it('ends its agents in the background for its reason, or as a defect', async () => {
    const reasons: string[] = []
    const background = {
      ...{ take: () => [], settled: async () => undefined, running: () => [], start: () => undefined },
      end: async (reason: string) => void reasons.push(reason),
    } as unknown as NonNullable<Loop['background']>
    await playLoop([text('done')], { background })
    await expect(playLoop([{ fails: new TypeError('a defect') }], { background })).rejects.toThrow('a defect')
    expect(reasons).toEqual(['completed', 'internal'])
  })

  it('has the reason of the signal; calls that were not made were aborted', async () => {
    const controller = new AbortController()
    const onEvent = (event: RunEvent) => {
      if (event.type === 'assistant') controller.abort(new RunError('deadline', 'The time is over.'))
    }
    const run = await playLoop([calls(use('a', 'Note'))], { signal: controller.signal, onEvent })
    expect(run.called).toEqual([])
    expect(run.end).toMatchObject({ reason: 'deadline', detail: 'The time is over.' })
    expect(run.messages[2]?.content).toMatchObject([{ tool_use_id: 'a', is_error: true }])
  })

  it('has its own reason where a Stop hook ends together with it', async () => {
    const ended = new AbortController()
    const late = {
      get decision() {
        ended.abort(new RunError('deadline', 'The time is over.'))
        return 'deny' as const
      },
    }
    const run = await playLoop([text('done')], { stopHooks: [late], signal: ended.signal })
    expect(run.end).toMatchObject({ reason: 'deadline', detail: 'The time is over.' })
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

it('denied calls are remembered, so that a compaction keeps them', async () => {
  const state = newLoopState(8_000)
  await playLoop([calls(use('a', 'Look'), use('b', 'Ban', 'x'), use('c', 'Fail')), text('done')], { state })
  expect(state.denied).toEqual([expect.stringMatching(/^Ban \{"text":"x"\}: Ban: .* is not allowed/)])
})

import { describe, expect, it } from 'vitest'
import { forEachEvent } from '../../../src/lib/async/mergeGenerators.ts'
import { runTools } from '../../../src/query/runTools/runTools.ts'
import { type CallLabOptions, callRunner, use } from '../../helpers/runs/callLab.ts'

const uses = (count: number, name = 'TaskList') =>
  Array.from({ length: count }, (_, at) => ({ ...use(name, { text: String(at) }), id: `u${at}` }))

const read = <Result>(steps: AsyncGenerator<unknown, Result, undefined>) => forEachEvent(steps, () => undefined)

/** Plays a message; each call ends when no other one is about to start. Returns how many ran at once. */
async function together(names: readonly string[]): Promise<readonly number[]> {
  const running: number[] = []
  let now = 0
  const { runner } = callRunner({
    async call(text) {
      running.push(++now)
      await new Promise(setImmediate)
      await new Promise(setImmediate)
      now -= 1
      return text
    },
  })
  const results = await read(runTools(runner).finish(names.map((name, at) => ({ ...use(name), id: `u${at}` }))))
  expect(results.map(({ block }) => block.tool_use_id)).toEqual(names.map((_, at) => `u${at}`))
  return running
}

describe('the calls of one message', () => {
  it('run side by side if they only read, ten at once; all others run alone', async () => {
    const [reads, writes] = [Array(12).fill('TaskList'), ['TaskCreate', 'TaskCreate', 'TaskList', 'TaskCreate']]
    expect(Math.max(...(await together(reads)))).toBe(10)
    expect(await together(writes)).toEqual([1, 1, 1, 1])
  })
})

describe('a call starts before its message is complete', () => {
  const early = (name: string, options: CallLabOptions = {}, input: unknown = { text: 'x' }) =>
    runTools(callRunner(options).runner).startEarly(use(name, input)) !== undefined

  it('if it only reads, is safe beside others, and rules alone allow it', () => {
    expect(early('TaskList')).toBe(true)
    expect(early('TaskCreate')).toBe(false)
    const reads = { isReadOnly: () => true, isConcurrencySafe: () => true }
    expect(early('TaskCreate', { tool: reads })).toBe(true)
    expect(early('TaskCreate', { tool: { isReadOnly: () => true } })).toBe(false)
    expect(early('TaskCreate', { tool: { isConcurrencySafe: () => true } })).toBe(false)
    for (const name of ['WebSearch', 'Skill']) expect(early(name, { tool: reads })).toBe(false)
  })

  it('but not if nobody knows it, its input does not fit, or a hook has to be asked', () => {
    expect(early('Whatever')).toBe(false)
    expect(early('TaskList', {}, { text: [] })).toBe(false)
    const hooks = (event: string) => ({ has: (name: string) => name === event }) as never
    expect(early('TaskList', { runner: { hooks: hooks('PreToolUse') } })).toBe(false)
    expect(early('TaskList', { runner: { hooks: hooks('PostToolUse') } })).toBe(true)
  })

  it('once, and only the first ten', () => {
    const batch = runTools(callRunner().runner)
    const started = uses(11).map((one) => batch.startEarly(one) !== undefined)
    expect(started).toEqual([...Array(10).fill(true), false])
    const twice = runTools(callRunner().runner)
    expect([1, 2].map(() => twice.startEarly(use('TaskList')) !== undefined)).toEqual([true, false])
  })

  it('and runs once; its result stands in the order of the calls, and in the record of a broken message', async () => {
    const called: string[] = []
    const batch = runTools(callRunner({ call: (text) => called.push(text) }).runner)
    const [a, b, c, d] = [...uses(2), ...uses(1, 'TaskCreate'), ...uses(1)].map((one, at) => ({ ...one, id: `c${at}` }))
    const all = [a, b, c, d].filter((one) => one !== undefined)
    const early = all.map((one) => batch.startEarly(one))
    expect(early.map((steps) => steps !== undefined)).toEqual([true, true, false, false])
    if (early[0] !== undefined) await read(early[0])
    const ends = [
      ['c0', 'ok'],
      ['c1', 'aborted'],
    ]
    expect(batch.early().map(({ outcome }) => outcome.tool_use_id)).toEqual(['c0'])
    expect(batch.earlyOutcomes().map(({ tool_use_id, outcome }) => [tool_use_id, outcome])).toEqual(ends)
    if (early[1] !== undefined) await read(early[1])
    const results = await read(batch.finish(all))
    expect(results.map(({ outcome }) => [outcome.tool_use_id, outcome.outcome])).toEqual(
      all.map(({ id }) => [id, 'ok']),
    )
    expect(called).toEqual(['0', '1', '0', '0'])
  })

  it('unless one before it is unreadable, which never runs', async () => {
    const called: string[] = []
    const batch = runTools(callRunner({ call: (text) => called.push(text) }).runner)
    const [first, second] = uses(2)
    if (first === undefined || second === undefined) throw new Error('two calls')
    expect([batch.startEarly(first, 'it is not JSON'), batch.startEarly(second)]).toEqual([undefined, undefined])
    const results = await read(batch.finish([first, second]))
    expect(results.map(({ outcome }) => outcome.outcome)).toEqual(['invalid', 'ok'])
    expect(called).toEqual(['1'])
  })
})

import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { forEachEvent } from '../../../src/lib/async/mergeGenerators.ts'
import { callTool, delayAbort, untilAborted } from '../../../src/query/runTools/callTool.ts'
import { buildTool, type Tool } from '../../../src/Tool.ts'
import { createToolContext } from '../../helpers/tools/toolContext.ts'

async function call(tool: Tool, signal = new AbortController().signal) {
  const events = callTool(tool, {}, { signal, makeContext: (_send, own) => createToolContext({ signal: own }) })
  return forEachEvent(events, () => undefined)
}

const base = {
  inputSchema: () => z.strictObject({}),
  description: () => 'a test',
  mapResult: () => ({ content: '' }),
}

describe('an output', () => {
  const counter = (count: unknown) =>
    buildTool({
      ...base,
      name: 'Count',
      outputSchema: () => z.object({ count: z.number() }),
      async *call() {
        yield { type: 'result', data: { count: count as number } }
      },
    })

  it('is passed on if it matches the schema of its tool', async () => {
    expect(await call(counter(3))).toEqual({ data: { count: 3 } })
  })

  it('is an error otherwise', async () => {
    expect((await call(counter('three'))).error).toMatch(/^Count gave an output that does not fit its own schema/)
  })
})

describe('a call at the end of the run', () => {
  /** Waits for its signal, or for the work to be done. */
  const worker = (interruptBehavior: Tool['interruptBehavior'], work: Promise<string>) =>
    buildTool({
      ...base,
      name: 'Work',
      interruptBehavior,
      async *call(_input, { signal }) {
        const stopped = new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped')))
        yield { type: 'result', data: await Promise.race([stopped, work]) }
      },
    })

  it('is interrupted at once', async () => {
    const controller = new AbortController()
    const end = call(worker('cancel', new Promise(() => undefined)), controller.signal)
    controller.abort()
    expect(await end).toEqual({ data: 'stopped' })
  })

  it('may finish first if it must not be interrupted', async () => {
    const controller = new AbortController()
    const work = new Promise<string>((resolve) => {
      controller.signal.addEventListener('abort', () => setImmediate(resolve, 'done'))
    })
    const end = call(worker('block', work), controller.signal)
    controller.abort()
    expect(await end).toEqual({ data: 'done' })
  })

  it('is interrupted in the end anyway', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const controller = new AbortController()
    const end = call(worker('block', new Promise(() => undefined)), controller.signal)
    controller.abort()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await end).toEqual({ data: 'stopped' })
  })
})

it('a source that ignores its signal is abandoned', async () => {
  const controller = new AbortController()
  async function* deaf(): AsyncGenerator<number> {
    yield 1
    controller.abort()
    await new Promise(() => undefined)
  }
  const seen: number[] = []
  await expect(async () => {
    for await (const item of untilAborted(deaf(), controller.signal, 1)) seen.push(item)
  }).rejects.toThrow('Interrupted')
  expect(seen).toEqual([1])
})

afterEach(() => void vi.useRealTimers())

it.each([
  ['that comes', false],
  ['that was there before', true],
])('an abort %s arrives later, with its reason', (_, isEarly) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const controller = new AbortController()
  if (isEarly) controller.abort(new Error('why'))
  const { signal } = delayAbort(controller.signal, 2_000)
  controller.abort(new Error('why'))
  vi.advanceTimersByTime(1_999)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.reason).toEqual(new Error('why'))
})

it('none arrives after its release, nor without an abort', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [before, after] = [new AbortController(), new AbortController()]
  const late = delayAbort(before.signal, 2_000)
  before.abort()
  late.release()
  const never = delayAbort(after.signal, 2_000)
  vi.advanceTimersByTime(10_000)
  expect([late.signal.aborted, never.signal.aborted, vi.getTimerCount()]).toEqual([false, false, 0])
  never.release()
  after.abort()
  expect(vi.getTimerCount()).toBe(0)
})

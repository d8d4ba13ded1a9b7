import { afterEach, expect, it, vi } from 'vitest'
import { delayAbort } from '../../../src/query/runTools/delayAbort.ts'

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

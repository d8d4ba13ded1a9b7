import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { watchStandstill } from '../../../src/run/loop/watchStandstill.ts'

it('measures how long a process was paused', { tags: 'long' }, async () => {
  const watch = watchStandstill()
  expect(watch.report()).toBeUndefined()
  while (watch.report() === undefined) {
    await sleep(100)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200)
    await sleep(100)
  }
  watch.stop()
  expect(watch.report()).toEqual({
    ...{ type: 'system', subtype: 'warning', code: 'standstill' },
    message: expect.stringContaining('was paused for'),
  })
})

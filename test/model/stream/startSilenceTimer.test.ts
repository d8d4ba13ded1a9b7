import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { ModelFault } from '../../../src/model/ModelFault.ts'
import { startSilenceTimer } from '../../../src/model/stream/startSilenceTimer.ts'

const TIMERS = { connectMs: 200, firstByteMs: 200, idleMs: 200, pingOnlyMs: 300 }

/** The phase of the first stall. */
function started() {
  let resolve: (phase: string | undefined) => void = () => undefined
  const phase = new Promise<string | undefined>((done) => {
    resolve = done
  })
  const timer = startSilenceTimer(TIMERS, (fault: ModelFault) => resolve(fault.details.stall?.phase))
  return { timer, phase }
}

/** As SIGSTOP and SIGCONT: nothing of this process goes on, its clock does. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

it('does not count a paused process as silence, but the silence after it', { tags: 'long' }, async () => {
  const { timer, phase } = started()
  timer.answered()
  standStill(1_500)
  const soon = setImmediate().then(() => setImmediate('none'))
  const now = await Promise.race([phase, soon])
  expect(now).toBe('none')
  timer.heard(true)
  expect(await phase).toBe('idle')
})

it('ends an answer of pings only, however frequent they are', async () => {
  const { timer, phase } = started()
  timer.answered()
  const pings = setInterval(() => timer.heard(false), 20)
  expect(await phase).toBe('ping_only')
  clearInterval(pings)
})

it('does nothing once it is stopped', async () => {
  const { timer, phase } = started()
  timer.stop()
  timer.answered()
  timer.heard(true)
  const other = started()
  expect(await Promise.race([phase, other.phase])).toBe('first_byte')
})

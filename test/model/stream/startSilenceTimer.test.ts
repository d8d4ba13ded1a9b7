import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ModelFault } from '../../../src/model/ModelFault.ts'
import { type SilenceTimer, startSilenceTimer } from '../../../src/model/stream/startSilenceTimer.ts'

const TIMERS = { connectMs: 200, firstByteMs: 300, idleMs: 400, pingOnlyMs: 1_000 }

/** As SIGSTOP and SIGCONT: nothing of this process goes on, its clock does. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

it('does not count a paused process as silence, but the silence after it', { tags: 'long' }, async () => {
  let timer: SilenceTimer | undefined
  const phase = new Promise((resolve) => {
    timer = startSilenceTimer(TIMERS, (fault) => resolve(fault.details.stall?.phase))
  })
  timer?.answered()
  standStill(2_200)
  const soon = setImmediate().then(() => setImmediate('none'))
  expect(await Promise.race([phase, soon])).toBe('none')
  timer?.heard(true)
  expect(await phase).toBe('idle')
})

type Step = number | 'connecting' | 'connected' | 'answered' | 'ping' | 'event' | 'stop'

it.each<[string, readonly Step[], readonly string[]]>([
  ['no connection', ['connecting', 199, 1], ['no connection for 200 ms']],
  ['a second connection counts with the first', ['connecting', 150, 'connecting', 50], ['no connection for 200 ms']],
  [
    'a connection, and then nothing',
    ['connecting', 100, 'connected', 200],
    ['the API was silent after the request for 300 ms'],
  ],
  ['an answer that came without a word of its connection', ['connecting', 'answered', 399], []],
  ['silence in an answer', ['answered', 300, 'event', 399, 1], ['the API was silent in mid-answer for 400 ms']],
  ['pings alone', ['answered', 300, 'ping', 300, 'ping', 300, 'ping', 100], ['the API sent nothing but pings for 1 s']],
  ['pings between events', ['answered', 300, 'ping', 300, 'event', 300, 'ping', 300, 'ping', 300, 'event', 399], []],
  ['silence is told once', ['answered', 5_000, 'event', 5_000], ['the API was silent in mid-answer for 400 ms']],
  ['what is stopped is silent', ['stop', 'answered', 'event', 5_000], []],
])('tells of %s', (_, steps, told) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const faults: string[] = []
  const timer = startSilenceTimer(TIMERS, (fault: ModelFault) => faults.push(fault.message))
  for (const step of steps) {
    if (typeof step === 'number') vi.advanceTimersByTime(step)
    else if (step === 'ping' || step === 'event') timer.heard(step === 'event')
    else timer[step]()
  }
  expect(faults).toEqual(told)
})

import { timerMs } from '../lib/timerMs.ts'
import type { ModelFault } from './ModelFault.ts'
import { stalled } from './ModelFault.ts'

/** How long silence may last, in milliseconds. */
export type ModelTimers = {
  /** Until the connection stands: name, TCP, TLS. 10 s. */
  readonly connectMs: number
  /** From the start of the request to the response's headers. 60 s. */
  readonly firstByteMs: number
  /** Between two bytes of the answer. 60 s. */
  readonly idleMs: number
  /** Since the start of the request, or the last event that was no ping. 2 min. */
  readonly pingOnlyMs: number
}

export const DEFAULT_TIMERS: ModelTimers = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  pingOnlyMs: 120_000,
}

/** The clock of one attempt. It runs from its making to `stop`, on monotonic time. */
export type SilenceTimer = {
  connecting(): void
  connected(): void
  /** The headers are here. */
  answered(): void
  /** Bytes are here; `isEvent` where they complete an event that is no ping. */
  heard(isEvent: boolean): void
  stop(): void
}

/**
 * Watches one attempt for silence; `onStall` is called at most once, with what to say. Time in which the process itself stood
 * still (stopped, or its machine asleep) is no silence of the API: what came meanwhile waits to be read.
 */
export function startSilenceTimer(timers: ModelTimers, onStall: (fault: ModelFault) => void): SilenceTimer {
  const running: Watch[] = []
  const stop = (): void => {
    for (const watch of running.splice(0)) watch.stop()
  }
  const watch = (phase: Parameters<typeof stalled>[0], limitMs: number): Watch => {
    const made = startWatch(limitMs, (silentMs) => {
      stop()
      onStall(stalled(phase, silentMs))
    })
    running.push(made)
    return made
  }
  let connecting: Watch | undefined
  let idle = watch('first_byte', timers.firstByteMs)
  const eventless = watch('ping_only', timers.pingOnlyMs)
  return {
    connecting() {
      connecting ??= watch('connect', timers.connectMs)
    },
    connected: () => connecting?.stop(),
    answered() {
      connecting?.stop()
      idle.stop()
      if (running.length > 0) idle = watch('idle', timers.idleMs)
    },
    heard(isEvent) {
      idle.again()
      if (isEvent) eventless.again()
    },
    stop,
  }
}

type Watch = { again(): void; stop(): void }

/** A timer that fires this much too late had no chance to be called off in time. */
const LATE_MS = 1_000

/** Calls `onEnd` after `limitMs` without `again`; once more as long where this process stood still. */
function startWatch(limitMs: number, onEnd: (silentMs: number) => void): Watch {
  let since = performance.now()
  let due = since + limitMs
  let isStopped = false
  const timer = setTimeout(() => {
    const now = performance.now()
    if (now - due <= LATE_MS) return onEnd(now - since)
    due = now + limitMs
    timer.refresh()
  }, timerMs(limitMs))
  return {
    again() {
      if (isStopped) return
      since = performance.now()
      due = since + limitMs
      timer.refresh()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

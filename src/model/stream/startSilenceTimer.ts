import { timerMs } from '../../lib/async/timerMs.ts'
import type { ModelFault } from '../ModelFault.ts'
import { stalled } from '../ModelFault.ts'

/** How long silence may last, in milliseconds. */
export type ModelTimers = {
  /** Until the connection is established: DNS, TCP, TLS. 10 s. */
  readonly connectMs: number
  /** From the start of the request to the response's headers. 60 s. */
  readonly firstByteMs: number
  /** Between two bytes of the answer. 60 s. */
  readonly idleMs: number
  /** Since the start of the request, or the last event other than a ping. 2 min. */
  readonly pingOnlyMs: number
}

export const DEFAULT_TIMERS: ModelTimers = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  pingOnlyMs: 120_000,
}

export type SilenceTimer = ReturnType<typeof startSilenceTimer>

/**
 * Watches one attempt for silence, until `stop`; `onStall` is called at most once, with a message. Time in which the
 * process itself was suspended is not the API's silence, because data received meanwhile is still unread.
 */
export function startSilenceTimer(timers: ModelTimers, onStall: (fault: ModelFault) => void) {
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
    /** Call it when the headers arrive. */
    answered() {
      connecting?.stop()
      idle.stop()
      if (running.length > 0) idle = watch('idle', timers.idleMs)
    },
    /** Call it when bytes arrive; `isEvent` if they complete an event other than a ping. */
    heard(isEvent: boolean) {
      idle.again()
      if (isEvent) eventless.again()
    },
    stop,
  }
}

type Watch = { again(): void; stop(): void }

/** A timer that fires this late could not have been canceled in time. */
const LATE_MS = 1_000

/** Calls `onEnd` after `limitMs` without `again`; waits once more if this process was suspended. */
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

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
  /** With nothing but pings, or without one whole event. 5 min. */
  readonly pingOnlyMs: number
}

export const DEFAULT_TIMERS: ModelTimers = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  pingOnlyMs: 300_000,
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

/** Watches one attempt for silence; `onStall` is called at most once, with what to say. */
export function startSilenceTimer(timers: ModelTimers, onStall: (fault: ModelFault) => void): SilenceTimer {
  const startedAt = performance.now()
  let lastEventAt = startedAt
  let connecting: NodeJS.Timeout | undefined
  let waiting: NodeJS.Timeout | undefined

  const stop = (): void => {
    clearTimeout(connecting)
    clearTimeout(waiting)
  }
  const stall = (phase: Parameters<typeof stalled>[0], since: number): void => {
    stop()
    onStall(stalled(phase, performance.now() - since))
  }
  waiting = setTimeout(() => stall('first_byte', startedAt), timers.firstByteMs)
  return {
    connecting() {
      const since = performance.now()
      connecting ??= setTimeout(() => stall('connect', since), timers.connectMs)
    },
    connected: () => clearTimeout(connecting),
    answered() {
      stop()
      lastEventAt = performance.now()
      waiting = setTimeout(() => stall('idle', performance.now() - timers.idleMs), timers.idleMs)
    },
    heard(isEvent) {
      const now = performance.now()
      if (isEvent) lastEventAt = now
      else if (now - lastEventAt >= timers.pingOnlyMs) stall('ping_only', lastEventAt)
      waiting?.refresh()
    },
    stop,
  }
}

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type RunEvent, warning } from '../../contracts/events.ts'
import { formatDuration } from '../../lib/text/words.ts'

export type StandstillWatch = ReturnType<typeof watchStandstill>

const LONGEST_MS = 2_000
const RESOLUTION_MS = 100

/** Measures the longest pause of the process: stopped, without CPU time, or blocked by one task. */
export function watchStandstill() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return {
    report(): RunEvent | undefined {
      const longest = delay.max / 1e6
      if (longest < LONGEST_MS) return undefined
      const message = `The process was paused for ${formatDuration(longest)}: limits and signals took effect that much later.`
      return warning('standstill', message)
    },
    stop: () => void delay.disable(),
  }
}

/** The longest delay of a Node timer; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** A duration as timers take it: whole milliseconds, at least one, at most 24 days. */
export function timerMs(milliseconds: number): number {
  return Math.min(Math.max(Math.ceil(milliseconds), 1), LONGEST_MS)
}

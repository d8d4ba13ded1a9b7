/** Longest time that a timer of Node holds; a longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1

/** A length of time as timers take it: whole milliseconds, at least one, at most 24 days. */
export function timerMs(milliseconds: number): number {
  return Math.min(Math.max(Math.ceil(milliseconds), 1), LONGEST_MS)
}

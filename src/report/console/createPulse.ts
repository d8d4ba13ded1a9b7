/** What takes time now. Another `key` is another activity; its `text` may change on the way. */
export type Activity = { readonly key: string; readonly text: string }

export type Timers = {
  /** Milliseconds; only differences count. */
  now(): number
  /** Calls `act` once after `milliseconds`, unless the answer is called before. */
  after(milliseconds: number, act: () => void): () => void
}

/** When a sign follows the start of an activity, in seconds; after the last, each is as far from the one before. */
const SIGNS_S = [5, 30, 60, 120, 300]

/**
 * Signs of life, for a log without a live line. Says what takes long, and for how long it has: first after 5 s, then less
 * and less often, and at least every 5 minutes, since many CI systems end a job that says nothing for 10. Keeps no process
 * alive.
 */
export function createPulse(say: (activity: string, milliseconds: number) => void, timers = CLOCK) {
  let current: Activity | undefined
  let startedAt = 0
  let count = 0
  let cancel: () => void = () => undefined
  const next = (): void => {
    const last = SIGNS_S.at(-1) ?? 0
    const second = SIGNS_S[count] ?? last * (count - SIGNS_S.length + 2)
    cancel = timers.after(startedAt + second * 1_000 - timers.now(), () => {
      count += 1
      if (current !== undefined) say(current.text, timers.now() - startedAt)
      next()
    })
  }
  return {
    /** Tells what runs from now on; undefined for nothing. */
    show(activity: Activity | undefined): void {
      const isNew = activity?.key !== current?.key
      current = activity
      if (!isNew) return
      cancel()
      count = 0
      startedAt = timers.now()
      if (activity !== undefined) next()
    },
  }
}

const CLOCK: Timers = {
  now: () => performance.now(),
  after: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}

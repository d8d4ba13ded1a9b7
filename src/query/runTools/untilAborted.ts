import { setTimeout as sleep } from 'node:timers/promises'

/** Time before a call that ignores its signal is abandoned. */
const GRACE_MS = 2200

/**
 * Yields the items of `source`. After an abort it waits a short while, so that a tool can end its processes and return
 * its output; then it stops with `Interrupted`.
 */
export async function* untilAborted<Item>(
  source: AsyncGenerator<Item>,
  signal: AbortSignal,
  graceMs = GRACE_MS,
): AsyncGenerator<Item> {
  const stop = new AbortController()
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = () =>
      sleep(graceMs, undefined, { signal: stop.signal, ref: true }).then(
        () => reject(new Error('Interrupted.')),
        () => undefined,
      )
    if (signal.aborted) void giveUp()
    else signal.addEventListener('abort', () => void giveUp(), { once: true, signal: stop.signal })
  })
  givenUp.catch(() => undefined)
  try {
    while (true) {
      const next = source.next()
      next.catch(() => undefined)
      const item = await Promise.race([next, givenUp])
      if (item.done === true) return
      yield item.value
    }
  } finally {
    stop.abort()
  }
}

import { setImmediate } from 'node:timers/promises'

type Source<Item> = AsyncIterator<Item, unknown, undefined>

/**
 * Yields what its sources yield, in order of arrival. A source is asked for its next item only after the reader comes
 * back for more, so each item is handled before its source continues. Ends when all sources have ended; the first throw
 * ends the others too.
 */
export function mergeGenerators<Item>(...first: readonly Source<Item>[]) {
  const waiting = new Map<Source<Item>, Promise<Arrival<Item>>>()
  let wake: (() => void) | undefined
  const pull = (source: Source<Item>): void => {
    waiting.set(
      source,
      source.next().then((item) => ({ source, item })),
    )
  }
  /** Adds a source while others are read. */
  const add = (source: Source<Item>): void => {
    pull(source)
    wake?.()
  }
  async function* read(): AsyncGenerator<Item, void, undefined> {
    try {
      while (waiting.size > 0) {
        const added = new Promise<undefined>((resolve) => {
          wake = () => resolve(undefined)
        })
        const arrival = await Promise.race([...waiting.values(), added])
        if (arrival === undefined) continue
        const { source, item } = arrival
        if (item.done === true) {
          waiting.delete(source)
          continue
        }
        yield item.value
        pull(source)
      }
    } finally {
      const left = [...waiting.keys()]
      for (const promise of waiting.values()) promise.catch(() => undefined)
      waiting.clear()
      // A source that is waiting cannot be ended from here: its signal does that. The others end at once.
      await Promise.race([Promise.allSettled(left.map((source) => source.return?.())), setImmediate()])
    }
  }
  for (const source of first) pull(source)
  return { add, [Symbol.asyncIterator]: read }
}

export type Merge<Item> = ReturnType<typeof mergeGenerators<Item>>

type Arrival<Item> = { readonly source: Source<Item>; readonly item: IteratorResult<Item, unknown> }

/** Takes each item before the generator continues. Returns its value. */
export async function forEachEvent<Item, End>(
  events: AsyncGenerator<Item, End, undefined>,
  take: (item: Item) => unknown,
): Promise<End> {
  for (;;) {
    const next = await events.next()
    if (next.done === true) return next.value
    await take(next.value)
  }
}

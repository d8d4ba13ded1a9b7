import { setImmediate } from 'node:timers/promises'

type Source<Item> = AsyncIterator<Item, unknown, undefined>

/** Several generators read as one; more may be added while it is read. */
export interface Merge<Item> extends AsyncIterable<Item> {
  add(source: Source<Item>): void
}

/**
 * Yields what its sources yield, in the order it arrives. A source is asked for its next item only after the reader has
 * come back for more, so an item has been dealt with before its source goes on. Ends when all sources have; the first
 * throw ends the others too.
 */
export function mergeGenerators<Item>(...first: readonly Source<Item>[]): Merge<Item> {
  const waiting = new Map<Source<Item>, Promise<Arrival<Item>>>()
  let wake: (() => void) | undefined
  const add = (source: Source<Item>): void => {
    waiting.set(source, pull(source))
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
        waiting.set(source, pull(source))
      }
    } finally {
      const left = [...waiting.keys()]
      for (const promise of waiting.values()) promise.catch(() => undefined)
      waiting.clear()
      // A source in the middle of a wait cannot be ended from here: its signal does that. The others end at once.
      await Promise.race([Promise.allSettled(left.map((source) => source.return?.())), setImmediate()])
    }
  }
  for (const source of first) add(source)
  return { add, [Symbol.asyncIterator]: read }
}

type Arrival<Item> = { readonly source: Source<Item>; readonly item: IteratorResult<Item, unknown> }

async function pull<Item>(source: Source<Item>): Promise<Arrival<Item>> {
  return { source, item: await source.next() }
}

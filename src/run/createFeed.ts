import { type Merge, mergeGenerators } from '../lib/async/mergeGenerators.ts'

/** A generator that others may join while it is read. */
export interface Feed<Item> {
  /** Adds a source that is read in parallel with the main generator. Ignored while no main generator is read. */
  add(source: AsyncGenerator<Item, void, undefined>): void
  /**
   * Reads `main` and every source that is added meanwhile. Returns the value of `main` after all of them have ended.
   */
  join<End>(main: AsyncGenerator<Item, End, undefined>): AsyncGenerator<Item, End, undefined>
}

/** A feed for one main generator. Each item is processed before its own source continues. */
export function createFeed<Item>(): Feed<Item> {
  let merge: Merge<Item> | undefined
  return {
    add: (source) => merge?.add(source),
    async *join<End>(main: AsyncGenerator<Item, End, undefined>) {
      const ends: End[] = []
      async function* drive(): AsyncGenerator<Item, void, undefined> {
        ends.push(yield* main)
      }
      merge = mergeGenerators<Item>(drive())
      yield* merge
      const [end] = ends
      return end as End
    },
  }
}

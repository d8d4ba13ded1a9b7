import { type Merge, mergeGenerators } from './mergeGenerators.ts'

/** A generator that others may join while it is read. */
export interface Feed<Item> {
  /** Has these read beside the main one from now on. Before and after that one is read, nobody reads them. */
  add(source: AsyncGenerator<Item, void, undefined>): void
  /** Reads `main` and all that is added meanwhile; its value is that of `main`, once all have ended. */
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

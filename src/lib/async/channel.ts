/** A queue that functions write to and a generator reads from. */
export interface Channel<Item> {
  /** Adds an item. The promise settles when the reader comes back for more, or the channel is closed. */
  send(item: Item): Promise<void>
  /** Ends the reader once the queue is empty. Later items are dropped. */
  close(): void
  read(): AsyncGenerator<Item, void, undefined>
}

/** A channel with one reader; items arrive in the order they were sent. */
export function createChannel<Item>(): Channel<Item> {
  const queue: { readonly item: Item; readonly done: () => void }[] = []
  let isClosed = false
  let wake: (() => void) | undefined
  return {
    send(item) {
      if (isClosed) return Promise.resolve()
      return new Promise((resolve) => {
        queue.push({ item, done: resolve })
        wake?.()
      })
    },
    close() {
      isClosed = true
      wake?.()
    },
    async *read() {
      try {
        while (true) {
          const [entry] = queue
          if (entry !== undefined) {
            yield entry.item
            queue.shift()
            entry.done()
          } else if (isClosed) return
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        isClosed = true
        for (const entry of queue.splice(0)) entry.done()
      }
    },
  }
}

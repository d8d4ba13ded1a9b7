/** A queue that functions write to and one generator reads from; items arrive in the order they were sent. */
export function createChannel<Item>() {
  const queue: { readonly item: Item; readonly done: () => void }[] = []
  let isClosed = false
  let wake: (() => void) | undefined
  return {
    /** Adds an item. The promise settles when the reader comes back for more, or the channel is closed. */
    send(item: Item): Promise<void> {
      if (isClosed) return Promise.resolve()
      return new Promise((resolve) => {
        queue.push({ item, done: resolve })
        wake?.()
      })
    },
    /** Ends the reader once the queue is empty. Later items are dropped. */
    close() {
      isClosed = true
      wake?.()
    },
    async *read(): AsyncGenerator<Item, void, undefined> {
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

/** Which commands run side by side, and which one after the other. */
export type CommandOrder = ReturnType<typeof createCommandOrder>

export function createCommandOrder() {
  let last: Promise<unknown> = Promise.resolve()
  let reading = 0
  let writing = 0
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    /** True while any command runs, or waits for its turn. */
    isBusy: () => reading + writing > 0,
    /** True while a command may change the checkout, or waits for its turn to do so. */
    isWriting: () => writing > 0,
    /** At once, beside all others. */
    async read<T>(work: () => Promise<T>): Promise<T> {
      reading++
      try {
        return await work()
      } finally {
        reading--
      }
    },
    /** When all earlier calls of `write` and `inTurn` are done. */
    async write<T>(work: () => Promise<T>): Promise<T> {
      writing++
      try {
        return await inTurn(work)
      } finally {
        writing--
      }
    },
    /** The same for work that is no command, such as a look at what changed. */
    inTurn,
    /** Settles when nothing waits for its turn. */
    done: () => last,
  }
}

/** Which commands run side by side, and which one after the other. */
export type CommandOrder = {
  /** True while any command runs, or waits for its turn. */
  isBusy(): boolean
  /** True while a command may change the checkout, or waits for its turn to do so. */
  isWriting(): boolean
  /** At once, beside all others. */
  read<T>(work: () => Promise<T>): Promise<T>
  /** When all earlier calls of `write` and `inTurn` are done. */
  write<T>(work: () => Promise<T>): Promise<T>
  /** The same for work that is no command, such as a look at what changed. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Settles when nothing waits for its turn. */
  done(): Promise<unknown>
}

export function createCommandOrder(): CommandOrder {
  let last: Promise<unknown> = Promise.resolve()
  let reading = 0
  let writing = 0
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    isBusy: () => reading + writing > 0,
    isWriting: () => writing > 0,
    inTurn,
    async read(work) {
      reading++
      try {
        return await work()
      } finally {
        reading--
      }
    },
    async write(work) {
      writing++
      try {
        return await inTurn(work)
      } finally {
        writing--
      }
    },
    done: () => last,
  }
}

/** What has been opened, to be closed in reverse. */
export interface Closers {
  /** Notes how to close what was opened, and returns it. */
  add<Opened>(opened: Opened, close: (opened: Opened) => unknown): Opened
  /** Leaves open what was opened: somebody else closes it. */
  release(opened: unknown): void
  /** Closes all, the last first, each once. What fails to close does not keep the others open. Never throws. */
  close(): Promise<void>
}

/** A stack of closers; Node 20 has no `AsyncDisposableStack`. */
export function createClosers(): Closers {
  const stack: { readonly opened: unknown; readonly close: () => unknown }[] = []
  return {
    add(opened, close) {
      stack.push({ opened, close: () => close(opened) })
      return opened
    },
    release(opened) {
      const at = stack.findIndex((entry) => entry.opened === opened)
      if (at >= 0) stack.splice(at, 1)
    },
    async close() {
      for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
        await Promise.allSettled([new Promise((resolve) => resolve(entry.close()))])
      }
    },
  }
}

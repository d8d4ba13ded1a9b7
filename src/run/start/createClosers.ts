/** A stack of opened things, closed in reverse order. */
export interface Closers {
  /** Registers how to close what was opened, and returns it. */
  add<Opened>(opened: Opened, close: (opened: Opened) => unknown): Opened
  /** Removes it without closing it: somebody else closes it. */
  release(opened: unknown): void
  /** Closes everything once, the last first. If one fails to close, the others are still closed. Never throws. */
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

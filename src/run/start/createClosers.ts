export type Closers = ReturnType<typeof createClosers>

/** A stack of opened things, closed in reverse order; Node 20 has no `AsyncDisposableStack`. */
export function createClosers() {
  const stack: { readonly opened: unknown; readonly close: () => unknown }[] = []
  return {
    add<Opened>(opened: Opened, close: (opened: Opened) => unknown): Opened {
      stack.push({ opened, close: () => close(opened) })
      return opened
    },
    /** Removes it without closing it: somebody else closes it. */
    release(opened: unknown) {
      const at = stack.findIndex((entry) => entry.opened === opened)
      if (at >= 0) stack.splice(at, 1)
    },
    /** Closes everything once, the last first. If one fails to close, the others are still closed. Never throws. */
    async close() {
      for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
        await Promise.allSettled([new Promise((resolve) => resolve(entry.close()))])
      }
    },
  }
}

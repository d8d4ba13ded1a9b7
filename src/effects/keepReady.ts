import type { CommandRequest } from '../contracts/commands.ts'

export type ReadyMeans<T> = {
  /** Makes it for a command like the last one; undefined where that is not possible. */
  make(like: CommandRequest): T | undefined
  /** True if the same would be made for this command now. */
  fits(ready: T, request: CommandRequest): boolean
  /** Removes what no command got. */
  drop(ready: T): Promise<void>
}

/** Keeps one thing ready that takes time to make, for the next command. */
export function keepReady<T>(means: ReadyMeans<T>) {
  let ready: T | undefined
  let isClosed = false
  const dropping = new Set<Promise<unknown>>()

  const release = (): T | undefined => {
    const released = ready
    ready = undefined
    return released
  }
  const dropReady = () => {
    const old = release()
    if (old === undefined) return
    const dropped = means.drop(old).catch(() => undefined)
    dropping.add(dropped)
    void dropped.finally(() => dropping.delete(dropped))
  }
  const fits = (request: CommandRequest) => ready !== undefined && means.fits(ready, request)
  return {
    /** What is ready, if it fits. */
    take: (request: CommandRequest): T | undefined => (fits(request) ? release() : undefined),
    /** What cannot be made now is made when it is needed. */
    prepare(like: CommandRequest): void {
      try {
        if (isClosed || fits(like)) return
        dropReady()
        ready = means.make(like)
      } catch {
        // The command itself will say why.
      }
    },
    async close(): Promise<void> {
      isClosed = true
      dropReady()
      await Promise.all(dropping)
    },
  }
}

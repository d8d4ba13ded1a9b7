import type { CommandRequest } from '../contracts/commands.ts'

export type KeepReadyOptions<T> = {
  /** Makes one for a command like the last one; undefined where that is not possible. */
  make(like: CommandRequest): T | undefined
  /** True if the same would be made for this command now. */
  fits(ready: T, request: CommandRequest): boolean
  /** Removes one that no command got. */
  drop(ready: T): Promise<void>
}

/** Keeps a few things ready that take time to make, for the next commands. */
export function keepReady<T>(options: KeepReadyOptions<T>) {
  let ready: readonly T[] = []
  let isClosed = false
  let triedSince = 0
  const dropping = new Set<Promise<unknown>>()

  const dropAll = (old: readonly T[]) => {
    ready = ready.filter((each) => !old.includes(each))
    for (const each of old) {
      const dropped = options.drop(each).catch(() => undefined)
      dropping.add(dropped)
      void dropped.finally(() => dropping.delete(dropped))
    }
  }
  /** What cannot be made now is made when it is needed. */
  const make = (like: CommandRequest): boolean => {
    try {
      const made = options.make(like)
      if (made !== undefined) ready = [...ready, made]
      return made !== undefined
    } catch {
      // The command itself will say why.
      return false
    }
  }
  return {
    /** The oldest that fits. Those before it are dropped. */
    take(request: CommandRequest): T | undefined {
      const fitting = ready.findIndex((each) => options.fits(each, request))
      dropAll(fitting === -1 ? ready : ready.slice(0, fitting))
      const [taken] = ready
      ready = ready.slice(1)
      return taken
    },
    /** After each command: makes one if there is none. */
    prepareFirst(like: CommandRequest): void {
      triedSince = 0
      if (!isClosed && ready.length === 0) make(like)
    },
    /**
     * Makes one, unless there are `count` for a command like this. Drops others. Returns whether one was made: not more
     * than `count` times after one command, even if they die at once.
     */
    prepareMore(like: CommandRequest, count: number): boolean {
      if (isClosed) return false
      dropAll(ready.filter((each) => !options.fits(each, like)))
      return ready.length < count && triedSince++ < count && make(like)
    },
    async close(): Promise<void> {
      isClosed = true
      dropAll(ready)
      await Promise.all(dropping)
    },
  }
}

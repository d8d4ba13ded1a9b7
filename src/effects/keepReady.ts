import type { CommandRequest } from '../contracts/commands.ts'
import type { WaitingSandbox } from '../sandbox/startWaiting.ts'

/** What a command needs, with a sandbox that waits for the command. */
type Ready = { readonly waiting: WaitingSandbox }

/**
 * Keeps one sandbox ready for the next command. `make` makes it for a command like the last one, undefined where that
 * is not possible; `drop` removes one that no command got.
 */
export function keepReady<T extends Ready>(
  make: (like: CommandRequest) => T | undefined,
  drop: (ready: T) => Promise<void>,
) {
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
    const dropped = drop(old).catch(() => undefined)
    dropping.add(dropped)
    void dropped.finally(() => dropping.delete(dropped))
  }
  const fits = (request: CommandRequest) => ready?.waiting.fits(request) === true
  return {
    /** What is ready, if it is what would be made for this command now. */
    take: (request: CommandRequest): T | undefined => (fits(request) ? release() : undefined),
    /** What cannot be made now is made when it is needed. */
    prepare(like: CommandRequest): void {
      if (isClosed || fits(like)) return
      dropReady()
      try {
        ready = make(like)
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

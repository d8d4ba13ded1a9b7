import { isWithin } from '../lib/fs/isWithin.ts'
import type { Place } from './Session.ts'

/** The worktrees of agents that work apart from the project, each with the place that its rules are read from. */
export type Isolated = {
  readonly places: Map<string, Place>
  /** Where a path belongs; undefined for the project's own. */
  placeOf(path: string): Place | undefined
  /** One piece of work on the folder of worktrees after the other. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value>
  /** Settles when no such work is left. */
  settled(): Promise<unknown>
}

/** No worktree yet. */
export function createIsolated(): Isolated {
  const places = new Map<string, Place>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    places,
    placeOf: (path) => [...places].find(([folder]) => isWithin(path, folder))?.[1],
    inTurn(work) {
      const done = last.then(work)
      last = done.catch(() => undefined)
      return done
    },
    settled: () => last,
  }
}

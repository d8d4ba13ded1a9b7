import { isWithin } from '../lib/fs/isWithin.ts'
import type { Place } from './Session.ts'

/** The worktrees of agents that work apart from the project, each with its place. */
export type Isolated = {
  readonly places: Map<string, Place>
  /** The worktree's place that a path belongs to; undefined for paths of the project itself. */
  placeOf(path: string): Place | undefined
  /** Runs changes to the folder of worktrees one after the other. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value>
  /** Settles when no such change is running. */
  settled(): Promise<unknown>
}

/** Starts without worktrees. */
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

import { type CheckoutRepository, findRepositories } from '../git/repository/findRepositories.ts'
import { createScratchLookup, createTrackedReader, type FindScratch } from './judge/scratchLookup.ts'

/** The checkout as all see it who judge or compare its changes. */
export type Checkout = {
  /** Absolute and resolved, none within another; includes git directories outside of the others. */
  readonly roots: readonly string[]
  /** As of the start: a folder that becomes a repository later is not part of the checkout. */
  readonly repositories: Promise<readonly CheckoutRepository[]>
  /** What git ignores, as of the state that `before` reads; see `ScratchOptions` for worktrees. */
  findScratch(before: (path: string) => string | undefined, looksIntoWorktrees?: boolean): Promise<FindScratch>
}

/** Looks for the repositories once, and parses an index once as long as its content stays the same. */
export function openCheckout(roots: readonly string[]): Checkout {
  const repositories = findRepositories(roots)
  const readTracked = createTrackedReader()
  return {
    ...{ roots, repositories },
    async findScratch(before, looksIntoWorktrees = false) {
      return createScratchLookup({
        ...{ roots, repositories: await repositories, before, readTracked, looksIntoWorktrees },
      })
    },
  }
}

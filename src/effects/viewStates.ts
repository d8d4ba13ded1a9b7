import { join, relative } from 'node:path'
import { isWithin } from '../lib/isWithin.ts'
import type { PathStates } from './JudgeChanges.ts'

/** The states of the paths in views: `upper` holds what changed below `lower`, which is as it was. */
export function viewStates(layers: readonly { readonly lower: string; readonly upper: string }[]): PathStates {
  // A view inside another one's folder has the files that lie in both.
  const inner = layers.toSorted((a, b) => b.lower.length - a.lower.length)
  return {
    before: (path) => path,
    now(path) {
      const layer = inner.find(({ lower }) => isWithin(path, lower))
      return layer === undefined ? path : join(layer.upper, relative(layer.lower, path))
    },
  }
}

import { join, relative } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { PathStates } from '../judge/JudgeChanges.ts'

/** The states of the paths in views: `upper` has what changed, `lower` the original state. */
export function viewStates(layers: readonly { readonly lower: string; readonly upper: string }[]): PathStates {
  // A view inside another one's folder has the files that are in both.
  const inner = layers.toSorted((a, b) => b.lower.length - a.lower.length)
  return {
    before: (path) => path,
    now(path) {
      const layer = inner.find(({ lower }) => isWithin(path, lower))
      return layer === undefined ? path : join(layer.upper, relative(layer.lower, path))
    },
  }
}

import { existsSync } from 'node:fs'
import { isWithin } from '../lib/isWithin.ts'
import type { Mount } from './bubblewrapArguments.ts'
import type { Ground } from './ground.ts'
import { heavyPacks } from './heavyPacks.ts'
import { workspaceMounts } from './workspaceMounts.ts'

/** A mount, or the place where the ground of a command comes to lie. */
export type PlannedMount = Mount | { readonly kind: 'ground'; readonly target: string }

/**
 * The mounts of one command on its ground. What is not there (any more) is not mounted: in a view that would make it. In a
 * view nothing is read-only for being protected, since changes are judged afterwards.
 */
export function groundMounts(planned: readonly PlannedMount[], ground: Ground, protect: readonly string[]): Mount[] {
  const roots = planned.flatMap((mount) => (mount.kind === 'ground' ? [mount.target] : []))
  const isInside = (path: string) => roots.some((root) => isWithin(path, root))
  return planned.flatMap((mount): Mount[] => {
    if (mount.kind === 'ground') return rootMounts(mount.target, ground, protect)
    if (!isInside(mount.target)) return [mount]
    if (!existsSync(mount.target)) return []
    const isForDirect = mount.kind === 'readOnly' && mount.source === mount.target
    return isForDirect && ground.kind !== 'direct' ? [] : [mount]
  })
}

function rootMounts(root: string, ground: Ground, protect: readonly string[]): Mount[] {
  if (ground.kind === 'direct') return workspaceMounts(root, protect)
  if (ground.kind === 'readOnly') return [{ kind: 'readOnly', source: root, target: root }]
  const merged = ground.layers.find(({ lower }) => lower === root)?.merged
  if (merged === undefined) return [{ kind: 'readOnly', source: root, target: root }]
  const direct = ground.direct.filter((path) => isWithin(path, root))
  return [
    { kind: 'writable', source: merged, target: root },
    ...direct.map((path): Mount => ({ kind: 'writable', source: path, target: path })),
    ...heavyPacks(root).flatMap((path): Mount[] =>
      existsSync(path) ? [{ kind: 'readOnly', source: path, target: path }] : [],
    ),
  ]
}

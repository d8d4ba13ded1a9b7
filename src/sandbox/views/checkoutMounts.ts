import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { largePacks } from '../../git/places/largePacks.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { Mount } from '../bubblewrapArguments.ts'
import type { CheckoutMode } from './checkoutMode.ts'

/** A mount, or the place of the checkout among the mounts. */
export type PlannedMount = Mount | { readonly kind: 'checkout'; readonly target: string }

/**
 * The mounts of one command in its mode. Missing places are not mounted, because a view would create them. A view has
 * no read-only protected places, because changes are judged afterwards.
 */
export function checkoutMounts(
  planned: readonly PlannedMount[],
  checkout: CheckoutMode,
  protect: readonly string[],
): Mount[] {
  const roots = planned.flatMap((mount) => (mount.kind === 'checkout' ? [mount.target] : []))
  const isInside = (path: string) => roots.some((root) => isWithin(path, root))
  return planned.flatMap((mount): Mount[] => {
    if (mount.kind === 'checkout') return rootMounts(mount.target, checkout, protect)
    if (!isInside(mount.target)) return [mount]
    if (!existsSync(mount.target)) return []
    const isForDirect = mount.kind === 'readOnly' && mount.source === mount.target
    return isForDirect && checkout.kind !== 'direct' ? [] : [mount]
  })
}

function rootMounts(root: string, checkout: CheckoutMode, protect: readonly string[]): Mount[] {
  if (checkout.kind === 'direct') return workspaceMounts(root, protect)
  if (checkout.kind === 'readOnly') return [same('readOnly', root)]
  const merged = checkout.layers.find(({ lower }) => lower === root)?.merged
  if (merged === undefined) return [same('readOnly', root)]
  const direct = checkout.direct.filter((path) => isWithin(path, root))
  return [
    { kind: 'writable', source: merged, target: root },
    ...direct.map((path) => same('writable', path)),
    ...largePacks(root)
      .filter((path) => existsSync(path))
      .map((path) => same('readOnly', path)),
  ]
}

/**
 * A writable folder in which the existing protected places are read-only. The folders between the two become mounts as
 * well. A mount cannot be renamed; a plain folder that contains one could be renamed and replaced.
 */
export function workspaceMounts(workspace: string, protectedPaths: readonly string[]): Mount[] {
  const there = protectedPaths.filter((path) => existsSync(path)).map((path) => realpathSync(path))
  const inside = outermost(there.filter((path) => isWithin(path, workspace) && path !== workspace))
  const between = new Set(inside.flatMap((path) => foldersBetween(workspace, path)))
  return [
    same('writable', workspace),
    ...[...between].map((path) => same('writable', path)),
    ...inside.map((path) => same('readOnly', path)),
  ]
}

function same(kind: 'readOnly' | 'writable', path: string): Mount {
  return { kind, source: path, target: path }
}

/** The folders between a folder and a path below it, the outermost first. */
export function foldersBetween(top: string, path: string): string[] {
  const parent = dirname(path)
  return parent === top ? [] : [...foldersBetween(top, parent), parent]
}

/** Without those inside another. */
export function outermost(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => !paths.some((other) => other !== path && isWithin(path, other)))
}

import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { Mount } from '../bubblewrapArguments.ts'

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

function foldersBetween(top: string, path: string): string[] {
  const parent = dirname(path)
  return parent === top ? [] : [...foldersBetween(top, parent), parent]
}

/** Without those inside another. */
function outermost(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => !paths.some((other) => other !== path && isWithin(path, other)))
}

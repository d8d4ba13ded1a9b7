import { lstatSync, type Stats } from 'node:fs'
import { join, relative } from 'node:path'
import { namesIn } from '../../lib/fs/folders.ts'
import type { Layer } from './checkoutMode.ts'

/** The maximum number of checkout entries to test with. */
const MAX_TRIED = 8

/** What a view must be able to copy up, relative to the root: one file and one folder of each owner and group. */
export type CopyUps = { readonly files: readonly string[]; readonly folders: readonly string[] }

/**
 * One entry of each owner and group near the top of a root that this user may write, except `covered` ones. A mount
 * alone proves nothing. An owner or group that a user namespace does not map fails only when a file is copied up
 * ("Value too large").
 */
export function copyUpsIn(root: string, covered: readonly string[]): CopyUps {
  const uid = process.getuid?.() ?? 0
  const found = new Map<string, string>()
  const note = (path: string, stat: Stats) => {
    const kind = stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : undefined
    const isWritable = uid === 0 || (stat.uid === uid && (stat.mode & 0o200) !== 0)
    const key = `${kind} ${stat.uid}:${stat.gid}`
    if (kind !== undefined && isWritable && !found.has(key)) found.set(key, path)
  }
  const inside = [root, join(root, '.git')].flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))
  for (const path of [root, ...inside]) {
    if (covered.includes(path)) continue
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat !== undefined) note(path, stat)
  }
  const of = (kind: string) =>
    [...found]
      .filter(([key]) => key.startsWith(kind))
      .slice(0, MAX_TRIED)
      .map(([, path]) => relative(root, path) || '.')
  return { files: of('file'), folders: of('folder') }
}

/** Tries the copies in the view. On failure it describes the problem on stderr, with a nonzero exit code. */
export const COPY_UP_SCRIPT =
  'for f do case $f in */) : >"$f/.kode-run-probe" || exit 1 ;; *) : >>"$f" || exit 1 ;; esac; done'

/** The arguments of that script for the roots. */
export function copyUpArguments(roots: readonly string[], covered: readonly string[]): string[] {
  return roots.flatMap((root) => {
    const { files, folders } = copyUpsIn(root, covered)
    return [...files.map((path) => join(root, path)), ...folders.map((path) => `${join(root, path)}/`)]
  })
}

/** True if the copies are in the upper folders, and nowhere else. */
export function areCopiedUp(layers: readonly Layer[], covered: readonly string[]): boolean {
  return layers.every(({ lower, upper }) => {
    const { files, folders } = copyUpsIn(lower, covered)
    const probes = folders.map((path) => join(path, '.kode-run-probe'))
    return [...files, ...probes].every((path) => lstatSync(join(upper, path), { throwIfNoEntry: false })?.isFile())
  })
}

import { chmodSync, chownSync, mkdirSync, mkdtempSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Layer, ViewFolders } from './checkoutMode.ts'

/** Creates the empty folders of one command's views of these roots, below `parent`. */
export function createView(parent: string, roots: readonly string[]): ViewFolders {
  const folder = mkdtempSync(join(parent, 'view-'))
  return { folder, layers: roots.map((lower, index) => createLayer(join(folder, String(index)), lower)) }
}

function createLayer(folder: string, lower: string): Layer {
  const layer = { lower, upper: join(folder, 'upper'), work: join(folder, 'work'), merged: join(folder, 'merged') }
  for (const path of [folder, layer.upper, layer.work, layer.merged]) mkdirSync(path, { mode: 0o700 })
  symlinkSync(lower, join(folder, 'lower'))
  copyOwnership(layer)
  return layer
}

/** The upper folder lends its owner and mode to the root that children see. */
function copyOwnership({ lower, upper }: Layer): void {
  const { mode, uid, gid } = statSync(lower)
  if (process.getuid?.() === 0) chownSync(upper, uid, gid)
  chmodSync(upper, mode & 0o7777)
}

/** How this user can mount a view; `openViews` finds out. */
export type ViewMethod = 'root' | 'user' | 'bwrap'

export type ViewPrograms = {
  readonly bwrap: string
  readonly unshare: string
  readonly mount: string
  readonly sh: string
}

/** Capabilities for the inner `bwrap`: overlays need SYS_ADMIN; a separate user id for the child needs SETFCAP. */
const OUTER = ['SYS_ADMIN', 'DAC_OVERRIDE', 'SETFCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`])

const WAYS: Readonly<Record<ViewMethod, (programs: ViewPrograms) => string[]>> = {
  root: ({ unshare }) => [unshare, '-m'],
  user: ({ unshare }) => [unshare, '-Urm'],
  bwrap: ({ bwrap }) => [
    ...[bwrap, '--unshare-user', '--uid', '0', '--gid', '0', ...OUTER, '--die-with-parent'],
    ...['--bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--'],
  ],
}

/** The descriptor on which `bwrap` reports its first process; it goes to the file `init` of the view's folder. */
export const INFO_DESCRIPTOR = '9'

/**
 * The prefix that mounts views for a command and for nothing else. All names in the mount options are relative and
 * ours, because overlay options cannot contain a comma or a colon.
 */
export function viewCommand(way: ViewMethod, programs: ViewPrograms, { folder, layers }: ViewFolders): string[] {
  const mounts = layers.map((_, index) => {
    const options = `lowerdir=${index}/lower,upperdir=${index}/upper,workdir=${index}/work,userxattr,volatile`
    return `"$m" -int overlay -o ${options} overlay ${index}/merged`
  })
  const script = ['m=$1', 'cd "$2"', 'shift 2', ...mounts, `exec "$@" ${INFO_DESCRIPTOR}>init`].join(' && ')
  return [...WAYS[way](programs), programs.sh, '-c', script, 'sh', programs.mount, folder]
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { Mount } from '../bubblewrapArguments.ts'

/** Below the home folder: files that shells, git and npm read at start, and that may name programs. */
export const START_FILES = [
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc', '.zshenv', '.zprofile'],
  ...['.gitconfig', '.npmrc', '.yarnrc.yml'],
]
export const START_FOLDERS = ['.config/git']

const MASK = 'no-start-file'

/** Creates the empty file that covers them. */
export function makeStartFileMask(scratch: string): void {
  writeFileSync(join(scratch, MASK), '')
}

/** Covers these files in the home of the run, so that a command leaves them as they are. Other mounts stay. */
export function startFileMounts(
  home: string | undefined,
  others: readonly { readonly kind: string; readonly target: string }[],
  scratch: string,
): Mount[] {
  if (home === undefined) return []
  const isMounted = (path: string) =>
    others.some(
      ({ kind, target }) => kind !== 'folder' && target !== home && isWithin(target, home) && isWithin(path, target),
    )
  const free = (names: readonly string[]) => names.map((name) => join(home, name)).filter((path) => !isMounted(path))
  return [
    ...free(START_FILES).map((target): Mount => ({ kind: 'readOnly', source: join(scratch, MASK), target })),
    ...free(START_FOLDERS).map((target): Mount => ({ kind: 'empty', target })),
  ]
}

import { chmodSync, lstatSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from '../bubblewrapArguments.ts'

/** Creates, in the folder of a run, the mounts that cover places which children must not see. */
export function makeMasks(scratch: string): void {
  mkdirSync(join(scratch, 'masks'))
  writeFileSync(maskIn(scratch, 'file'), '', { mode: 0 })
  mkdirSync(maskIn(scratch, 'folder'), { mode: 0 })
}

/**
 * Hides one existing place: an empty folder over a folder, an empty file over anything else, without any permissions.
 */
export function closedMount(path: string, scratch: string): Mount {
  if (!lstatSync(path).isDirectory()) return closedFile(path, scratch)
  return { kind: 'readOnly', source: maskIn(scratch, 'folder'), target: path }
}

/** The same for a place that is known to be, or to become, a file. */
export function closedFile(path: string, scratch: string): Mount {
  return { kind: 'readOnly', source: maskIn(scratch, 'file'), target: path }
}

/**
 * Covers a file that git tracks: blank but of the same size, so that git asks the filter for its content; see
 * `hiddenGit`.
 */
export function blankMount(path: string, scratch: string, index: number): Mount {
  const { size, mode } = lstatSync(path)
  const source = maskIn(scratch, `blank-${index}`)
  writeFileSync(source, '')
  truncateSync(source, size)
  chmodSync(source, mode & 0o100 ? 0o555 : 0o444)
  return { kind: 'readOnly', source, target: path }
}

function maskIn(scratch: string, name: string): string {
  return join(scratch, 'masks', name)
}

import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from '../bubblewrapArguments.ts'

/** Creates, in the folder of a run, the mounts that cover places which children must not see. */
export function makeMasks(scratch: string): void {
  mkdirSync(join(scratch, 'masks'))
  mkdirSync(maskIn(scratch, 'folder'), { mode: 0 })
}

/** Hides one existing place: an empty folder without permissions over a folder, what nobody can open over the rest. */
export function closedMount(path: string, scratch: string): Mount {
  if (!lstatSync(path).isDirectory()) return closedFile(path)
  return { kind: 'readOnly', source: maskIn(scratch, 'folder'), target: path }
}

/**
 * The same for a place that is known to be, or to become, a file. A device: bubblewrap mounts without devices, so that
 * each open fails, also for root, who would read a file without permissions as an empty one.
 */
export function closedFile(path: string): Mount {
  return { kind: 'readOnly', source: '/dev/null', target: path }
}

const NOTE = '# This file is hidden from commands. A Read rule that names it opens it.\n'

/** Covers a file that git tracks by a note of the same size, so that git asks the filter of `hiddenGit` instead. */
export function blankMount(path: string, scratch: string, index: number): Mount {
  const { size, mode } = lstatSync(path)
  const source = maskIn(scratch, `blank-${index}`)
  writeFileSync(source, Buffer.alloc(size).fill(NOTE, 0, Math.min(size, NOTE.length)))
  chmodSync(source, mode & 0o100 ? 0o555 : 0o444)
  return { kind: 'readOnly', source, target: path }
}

function maskIn(scratch: string, name: string): string {
  return join(scratch, 'masks', name)
}

import { chmodSync, lstatSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from './bubblewrapArguments.ts'

/** Makes in the folder of a run what is put over places that children must not see. */
export function makeMasks(scratch: string): void {
  mkdirSync(join(scratch, 'masks'))
  writeFileSync(maskIn(scratch, 'file'), '', { mode: 0 })
  mkdirSync(maskIn(scratch, 'folder'), { mode: 0 })
}

/** Closes one existing place: an empty folder over a folder, an empty file over anything else, and nobody may open it. */
export function closedMount(path: string, scratch: string): Mount {
  if (!lstatSync(path).isDirectory()) return closedFile(path, scratch)
  return { kind: 'readOnly', source: maskIn(scratch, 'folder'), target: path }
}

/** The same for what is known to be a file, or to become one. */
export function closedFile(path: string, scratch: string): Mount {
  return { kind: 'readOnly', source: maskIn(scratch, 'file'), target: path }
}

/** Over a file that git tracks: as long as it is, so that git asks what its content is, but blank; see `hiddenGit`. */
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

import { existsSync, fsyncSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { orElse } from '../orElse.ts'
import { withFile } from './diskPath.ts'

/** True if the path leads to a folder; false if it cannot be read. */
export function isFolder(path: string): boolean {
  return orElse(false, () => statSync(path).isDirectory())
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  return orElse([], () => readdirSync(folder))
}

/** Creates a folder for its owner alone, with parents. Node's `recursive` never ends in `/proc`, where none can be. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  const above = dirname(path)
  if (!existsSync(above)) makeFolder(above)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process created it in the meantime.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}

/** Makes the names in a folder last through a loss of power. */
export function syncFolder(path: string): void {
  withFile(path, 'r', fsyncSync)
}

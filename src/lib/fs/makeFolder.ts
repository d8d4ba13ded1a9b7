import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { isFolder } from './isFolder.ts'

/**
 * Creates a folder for its owner alone, with its parents; an existing one is unchanged. Node's own way (`recursive`)
 * never ends in `/proc`, where nothing can be created.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process created it in the meantime.
    if (!isFolder(path)) throw error
  }
}

import { statSync } from 'node:fs'

/** True if the path leads to a folder; false if it cannot be read. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

import { statSync } from 'node:fs'

/** True where the path leads to a folder; false for everything that cannot be looked at. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

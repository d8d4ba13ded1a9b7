import { sep } from 'node:path'

/** True for the folder itself and everything below it. Both paths absolute and without `..`; does not read links. */
export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false
  const { length } = folder
  return path.length === length || path[length] === sep || folder.endsWith(sep)
}

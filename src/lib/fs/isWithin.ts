import { sep } from 'node:path'

/** True for the folder itself and everything below it. Both paths absolute and without `..`; does not read links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

import { sep } from 'node:path'

/** True for the folder itself and for what lies below it. Both paths absolute and without `..`; looks at no link. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

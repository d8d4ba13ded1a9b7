import { relative } from 'node:path'
import { isWithin } from './isWithin.ts'

/** A path as it is shown: relative to the working directory where it lies below it, else absolute. Pure. */
export function displayPath(path: string, cwd: string): string {
  return isWithin(path, cwd) ? relative(cwd, path) || '.' : path
}

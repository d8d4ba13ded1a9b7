import { relative } from 'node:path'
import { isWithin } from './isWithin.ts'

/** A path for display: relative if it is below the working directory, otherwise absolute. Pure. */
export function displayPath(path: string, cwd: string): string {
  return isWithin(path, cwd) ? relative(cwd, path) || '.' : path
}

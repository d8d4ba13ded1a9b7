import { relative } from 'node:path'
import { isWithin } from './isWithin.ts'

/** A path for programs: relative if it is below the working directory, otherwise absolute. Pure. */
export function shortPath(path: string, cwd: string): string {
  return isWithin(path, cwd) ? relative(cwd, path) || '.' : path
}

import { accessSync, readFileSync, realpathSync } from 'node:fs'
import { orElse } from '../orElse.ts'

/** The path without links; the path itself where nothing can be read. */
export function realPath(path: string): string {
  return orElse(path, () => realpathSync(path))
}

/** True if this process may do that (`constants.R_OK` and the like) with what is there. */
export function canAccess(path: string | Buffer, mode: number): boolean {
  return orElse(false, () => accessSync(path, mode) === undefined)
}

/** The bytes of a small file as characters, such as one of `/proc`; empty if it is gone or belongs to another user. */
export function readRaw(path: string): string {
  return orElse('', () => readFileSync(path, 'latin1'))
}

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { diskPath } from './diskPath.ts'

/** The limit for `.git/index` and the like; a larger file is not valid. */
const MAX_BYTES = 512 * 1024 * 1024

/** The content of a regular file; undefined for all else, also a link. Does not wait for the writer of a FIFO. */
export function readRegular(path: string | undefined, maxBytes = MAX_BYTES): Buffer | undefined {
  if (path === undefined) return undefined
  let file: number | undefined
  try {
    file = openSync(diskPath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(file)
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

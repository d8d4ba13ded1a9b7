import { fstatSync, readFileSync } from 'node:fs'
import { orElse } from '../orElse.ts'
import { READ, withFile } from './diskPath.ts'

/** The limit for `.git/index` and the like; a larger file is not valid. */
const MAX_BYTES = 512 * 1024 * 1024

/** The content of a regular file; undefined for all else, also a link. Does not wait for the writer of a FIFO. */
export function readRegular(path: string | undefined, maxBytes = MAX_BYTES): Buffer | undefined {
  if (path === undefined) return undefined
  const read = (file: number) => {
    const stat = fstatSync(file)
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file) : undefined
  }
  return orElse(undefined, () => withFile(path, READ, read))
}

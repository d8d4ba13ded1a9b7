import { closeSync, constants, openSync } from 'node:fs'
import { diskPath } from './diskPath.ts'

/** To read a file: follows no link, and does not wait for the writer of a FIFO. */
export const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** What `work` returns for an open file, which is closed then, whatever happens. */
export function withFile<T>(path: string, flags: string | number, work: (descriptor: number) => T, mode?: number): T {
  const descriptor = openSync(diskPath(path), flags, mode)
  try {
    return work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

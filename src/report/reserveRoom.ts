import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Room on a disk that is kept until it is needed. */
export type Reserve = { release(): void }

/** Enough for an end record and a summary. */
const BYTES = 256 * 1024

/**
 * Keeps room on the disk of `folder`: a file without a name, so that nothing is left of it however the process ends. Where
 * the disk has less, what it has is not taken. Never throws.
 */
export function reserveRoom(folder: string): Reserve {
  let file: number | undefined
  const release = (): void => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  const path = join(folder, `.${randomBytes(6).toString('hex')}.reserve`)
  try {
    file = openSync(path, 'wx', 0o600)
    rmSync(path)
    // Not zeros: some file systems keep those without room.
    if (writeSync(file, randomBytes(BYTES)) < BYTES) release()
  } catch {
    release()
  }
  return { release }
}

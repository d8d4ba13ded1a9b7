import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Disk space that is reserved until it is needed. */
export type DiskReserve = { release(): void }

/** Enough for an end record and a summary. */
const BYTES = 256 * 1024

/**
 * Reserves space on the disk of `folder` with an unlinked file, so that nothing is left however the process ends. Takes
 * nothing if the disk has less. Never throws.
 */
export function reserveDiskSpace(folder: string): DiskReserve {
  let file: number | undefined
  const release = (): void => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  const path = join(folder, `.${randomBytes(6).toString('hex')}.reserve`)
  try {
    file = openSync(path, 'wx', 0o600)
    rmSync(path)
    // Not zeros: some file systems store those without using space.
    if (writeSync(file, randomBytes(BYTES)) < BYTES) release()
  } catch {
    release()
  }
  return { release }
}

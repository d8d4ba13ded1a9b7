import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { READ } from '../lib/fs/diskPath.ts'

const CHUNK = 256 * 1024
/** Yields to other work after this many bytes. */
const MAX_AT_ONCE = 8 * 1024 * 1024

/** True if two regular files of this size have the same bytes. False if one of them cannot be read. */
export async function isSameFile(one: string, other: string, size: number): Promise<boolean> {
  if (size === 0) return true
  const chunks = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const
  const files: number[] = []
  try {
    // One after the other: if the second cannot be opened, the first is closed.
    for (const path of [one, other]) files.push(openSync(path, READ))
    for (let total = CHUNK; ; total += CHUNK) {
      const [count, otherCount] = [readSync(files[0] ?? -1, chunks[0]), readSync(files[1] ?? -1, chunks[1])]
      if (count !== otherCount || !chunks[0].subarray(0, count).equals(chunks[1].subarray(0, count))) return false
      if (count === 0) return true
      if (total % MAX_AT_ONCE === 0) await setImmediate()
    }
  } catch {
    return false
  } finally {
    files.forEach(closeSync)
  }
}

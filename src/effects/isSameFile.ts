import { closeSync, constants, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const CHUNK = 256 * 1024
/** Yields to other work after this many bytes. */
const MAX_AT_ONCE = 8 * 1024 * 1024

/** True if two regular files of this size have the same bytes. False if one of them cannot be read. */
export async function isSameFile(one: string, other: string, size: number): Promise<boolean> {
  if (size === 0) return true
  try {
    return size <= MAX_AT_ONCE ? isSameNow(one, other) : await isSameInTime(one, other)
  } catch {
    return false
  }
}

function isSameNow(one: string, other: string): boolean {
  const files: number[] = []
  try {
    // One after the other: if the second cannot be opened, the first is closed.
    for (const path of [one, other]) files.push(openSync(path, FLAGS))
    const chunks = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const
    for (;;) {
      const counts = [readSync(files[0] ?? -1, chunks[0]), readSync(files[1] ?? -1, chunks[1])] as const
      if (!isEqual(chunks, counts)) return false
      if (counts[0] === 0) return true
    }
  } finally {
    files.forEach(closeSync)
  }
}

async function isSameInTime(one: string, other: string): Promise<boolean> {
  const first = await open(one, FLAGS)
  const second = await open(other, FLAGS).catch(async (error: unknown) => {
    await first.close()
    throw error
  })
  const chunks = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const
  try {
    for (;;) {
      const read = await Promise.all([first.read(chunks[0]), second.read(chunks[1])])
      const counts = [read[0].bytesRead, read[1].bytesRead] as const
      if (!isEqual(chunks, counts)) return false
      if (counts[0] === 0) return true
    }
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}

function isEqual([one, other]: readonly [Buffer, Buffer], [count, otherCount]: readonly [number, number]): boolean {
  return count === otherCount && one.subarray(0, count).equals(other.subarray(0, count))
}

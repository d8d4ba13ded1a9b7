import { appendFileSync, closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { removeOwned, shortLivedFolder } from '../fs/ownedFolder.ts'

const MAX_BYTES = 64 * 1024 * 1024

/** Takes a stream in chunks. Stores its first 64 MiB as one blob, if it is longer than what is kept anyway. */
export interface Spill {
  add(chunk: Buffer): void
  /** The blob's path; undefined if nothing had to be stored or the disk failed. Called once. */
  store(): string | undefined
}

/**
 * A spill that holds at most `threshold` bytes in memory; the rest waits in an unlinked temporary file. A full disk
 * costs the blob, never the command.
 */
export function createSpill(putBlob: (content: Uint8Array) => string, threshold: number): Spill {
  let waiting: Buffer[] = []
  let bytes = 0
  let file: number | undefined
  let hasFailed = false

  const flush = () => {
    try {
      file ??= openNameless()
      for (const chunk of waiting) appendFileSync(file, chunk)
    } catch {
      hasFailed = true
    }
    waiting = []
  }
  return {
    add(chunk) {
      if (hasFailed || bytes >= MAX_BYTES) return
      const part = chunk.subarray(0, MAX_BYTES - bytes)
      bytes += part.length
      waiting.push(part)
      if (bytes > threshold) flush()
    },
    store() {
      if (file === undefined) return undefined
      try {
        return hasFailed ? undefined : putBlob(readWhole(file, bytes))
      } catch {
        return undefined
      } finally {
        closeSync(file)
      }
    },
  }
}

/** Open, but already unlinked: nothing is left behind, however the process ends. */
function openNameless(): number {
  const folder = shortLivedFolder('kode-run-output-')
  try {
    return openSync(join(folder, 'output'), 'wx+', 0o600)
  } finally {
    removeOwned(folder)
  }
}

function readWhole(file: number, size: number): Buffer {
  const content = Buffer.alloc(size)
  let at = 0
  while (at < size) {
    const count = readSync(file, content, at, size - at, at)
    if (count === 0) break
    at += count
  }
  return content.subarray(0, at)
}

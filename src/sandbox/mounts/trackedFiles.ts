import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An entry before its name: times, device, owner, size, object, flags. */
const FIXED = 62
const EXTENDED = 0x4000

/**
 * The paths that git tracks, read from its index without running git. Empty if there is no index or it cannot be read.
 * gitformat-index(5), versions 2 to 4.
 */
export function trackedFiles(gitFolder: string | undefined): ReadonlySet<string> {
  try {
    return gitFolder === undefined ? new Set() : namesIn(readFileSync(join(gitFolder, 'index')))
  } catch {
    return new Set()
  }
}

function namesIn(index: Buffer): Set<string> {
  const version = index.readUInt32BE(4)
  const count = index.readUInt32BE(8)
  const names = new Set<string>()
  let at = 12
  let previous: Buffer = Buffer.alloc(0)
  for (let entry = 0; entry < count; entry++) {
    const start = at
    const flags = index.readUInt16BE(start + FIXED - 2)
    at = start + FIXED + (version > 2 && (flags & EXTENDED) !== 0 ? 2 : 0)
    const kept = version === 4 ? readKept() : 0
    const end = index.indexOf(0, at)
    const name = Buffer.concat([previous.subarray(0, kept), index.subarray(at, end)])
    names.add(name.toString())
    previous = name
    // Before version 4, an entry ends at the next multiple of eight bytes, with at least one NUL.
    at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8
  }
  return names

  /** How much of the previous name starts this one: git's variable-length number gives the rest. */
  function readKept(): number {
    let byte = index.readUInt8(at++)
    let dropped = byte & 0x7f
    while ((byte & 0x80) !== 0) {
      byte = index.readUInt8(at++)
      dropped = ((dropped + 1) << 7) | (byte & 0x7f)
    }
    return previous.length - dropped
  }
}

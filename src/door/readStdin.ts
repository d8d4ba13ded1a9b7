import { fstatSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { RunError } from '../contracts/errors.ts'

/** Silence after which a pipe that has begun to speak counts as stuck. */
const IDLE_MS = 60_000

/**
 * What is piped in; undefined where nothing is: a terminal, `/dev/null`, or a pipe that is open but says nothing for
 * `patienceMs` (many CI systems leave such a one). Without a patience it waits for a first byte as long as for any other.
 * Reads at most one chunk more than `maxBytes`.
 */
export async function readStdin(stdin: Readable, maxBytes: number, patienceMs = IDLE_MS): Promise<string | undefined> {
  if (!isPiped()) return undefined
  const chunks: Buffer[] = []
  let size = 0
  const items = stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  while (size <= maxBytes) {
    const item = await within(items.next(), size === 0 ? patienceMs : IDLE_MS)
    if (item === 'silent' && size === 0 && patienceMs !== IDLE_MS) return undefined
    if (item === 'silent')
      throw new RunError('bad_input', 'stdin stays open and silent: close it, or redirect it from /dev/null.')
    if (item.done === true) break
    chunks.push(item.value)
    size += item.value.length
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Only a pipe, a socket or a file is read. */
function isPiped(): boolean {
  try {
    const stat = fstatSync(0)
    return stat.isFIFO() || stat.isFile() || stat.isSocket()
  } catch {
    return false
  }
}

async function within<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | 'silent'> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<'silent'>((resolve) => {
    timer = setTimeout(() => resolve('silent'), milliseconds)
  })
  promise.catch(() => undefined)
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}

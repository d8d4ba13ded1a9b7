import { fstatSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { RunError } from '../contracts/errors.ts'
import type { StdinTimeouts } from '../contracts/processIo.ts'
import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import { timerMs } from '../lib/async/timerMs.ts'
import { orElse } from '../lib/orElse.ts'
import { formatDuration } from '../lib/text/words.ts'

/** Silence after which a pipe that has started to send counts as stuck. */
const IDLE_MS = 60_000
/** After this time, a message says what is being waited for. */
const QUIET_MS = 3_000

export type StdinOptions = StdinTimeouts & { readonly onWait?: (text: string) => void }

/**
 * The piped text; undefined for a terminal, `/dev/null`, or an open pipe that is silent for `firstMs` (common in CI
 * systems). A minute of silence, or more than `wholeMs` in total, is an error. Reads at most one chunk more than
 * `maxBytes`.
 */
export async function readStdin(
  stdin: Readable,
  maxBytes: number,
  options: StdinOptions = {},
): Promise<string | undefined> {
  if (!isPiped()) return undefined
  const { firstMs, wholeMs = Number.POSITIVE_INFINITY, onWait } = options
  const hint = setTimeout(() => onWait?.('│ kode-run: waiting for stdin to end …\n'), QUIET_MS + 100).unref()
  const end = performance.now() + wholeMs
  const chunks: Buffer[] = []
  let size = 0
  const items = stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    while (size <= maxBytes) {
      const idleMs = size === 0 ? (firstMs ?? IDLE_MS) : IDLE_MS
      const leftMs = end - performance.now()
      const silence = AbortSignal.timeout(timerMs(Math.max(0, Math.min(idleMs, leftMs))))
      const item = await resultBeforeAbort(items.next(), silence)
      if (item === undefined && size === 0 && firstMs !== undefined && firstMs <= leftMs) return undefined
      if (item === undefined && leftMs <= idleMs) throw late(wholeMs)
      if (item === undefined)
        throw new RunError('bad_input', 'stdin stays open and silent: close it, or redirect it from /dev/null.')
      if (item.done === true) break
      chunks.push(item.value)
      size += item.value.length
      if (performance.now() > end) throw late(wholeMs)
    }
  } finally {
    clearTimeout(hint)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function late(wholeMs: number): RunError {
  const limit = formatDuration(wholeMs)
  return new RunError('deadline', `stdin did not end within the run's time limit (--timeout ${limit}).`)
}

/** True for a pipe, a socket or a file. */
function isPiped(): boolean {
  return orElse(false, () => {
    const stat = fstatSync(0)
    return stat.isFIFO() || stat.isFile() || stat.isSocket()
  })
}

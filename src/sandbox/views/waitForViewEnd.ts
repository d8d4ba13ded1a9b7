import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readRaw } from '../../lib/fs/atPath.ts'
import { isLive, processStat } from '../../lib/process/processIdentity.ts'

/** The kernel ends processes that left their group within milliseconds; under load it has taken a tenth of a second. */
const MAX_WAIT_MS = 10_000
const BETWEEN_LOOKS_MS = 1

/**
 * Settles when no process of the view is alive, which may be a moment after its command ended: all have ended when the
 * first process of their namespace has. Throws if they do not end.
 */
export async function waitForViewEnd(folder: string): Promise<void> {
  const pid = firstProcess(folder)
  if (pid === undefined) return
  const end = performance.now() + MAX_WAIT_MS
  while (isLive(processStat(pid))) {
    if (performance.now() > end) throw new Error('processes that the command started are still running')
    await delay(BETWEEN_LOOKS_MS)
  }
}

/** Undefined if no process was ever started in the view. */
export function firstProcess(folder: string): number | undefined {
  const [, pid] = /"child-pid":\s*(\d+)/.exec(readRaw(join(folder, 'init'))) ?? []
  return pid === undefined ? undefined : Number(pid)
}

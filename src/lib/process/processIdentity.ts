import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessIdentity } from '../../contracts/events.ts'
import { readRaw } from '../fs/atPath.ts'
import { orElse } from '../orElse.ts'

/** What is known about a process from here: `unknown` for one on another host, or in another container of this one. */
export type ProcessState = 'alive' | 'dead' | 'unknown'

export function ownIdentity(): ProcessIdentity {
  const { pid } = process
  return { pid, started: startOf(processStat(pid)), boot: bootId(), host: hostname(), namespace: pidNamespace() }
}

/**
 * Whether a process is still alive. A process id alone is not enough, because ids are reused. A process that started
 * before the machine's last boot is dead. So is one whose id belongs to a process with another start time.
 */
export function processState(identity: ProcessIdentity): ProcessState {
  if (identity.host !== hostname()) return 'unknown'
  if (identity.boot !== bootId()) return identity.boot === null || bootId() === null ? 'unknown' : 'dead'
  if (identity.namespace !== pidNamespace()) return 'unknown'
  if (!isThere(identity.pid)) return 'dead'
  const started = startOf(processStat(identity.pid))
  return identity.started === null || started === null || started === identity.started ? 'alive' : 'dead'
}

/** The process as people would look for it. */
export function describeProcess({ pid, host }: ProcessIdentity): string {
  return `pid ${pid} on ${host}`
}

/** Also true for processes of other users, and for zombies. */
function isThere(pid: number): boolean {
  try {
    // Where there is no `/proc`, a zombie is not recognized.
    const [state = '-'] = processStat(pid)
    return process.kill(pid, 0) && isLive([state])
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process started, in clock ticks since boot: field 22. */
export function startOf(stat: readonly string[]): number | null {
  const ticks = Number(stat[19])
  return Number.isSafeInteger(ticks) ? ticks : null
}

/** `/proc/PID/stat` from its third field on, the state: the name before may hold anything, proc(5). Empty if ended. */
export function processStat(pid: number): readonly string[] {
  const stat = readRaw(`/proc/${pid}/stat`)
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** True for the stat of a process that can still run: it is there, and no zombie. */
export function isLive([state = 'X']: readonly string[]): boolean {
  return !'ZX'.includes(state)
}

function bootId(): string | null {
  return readRaw('/proc/sys/kernel/random/boot_id').trim() || null
}

function pidNamespace(): string | null {
  // No `/proc`: there are no containers to distinguish.
  return orElse(null, () => readlinkSync('/proc/self/ns/pid'))
}

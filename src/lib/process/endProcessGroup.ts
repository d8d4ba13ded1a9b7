import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { orElse } from '../orElse.ts'
import { isLive, processStat } from './processIdentity.ts'

const POLL_MS = 25
const AFTER_KILL_MS = 500

/**
 * Ends a process group: SIGTERM, up to `graceMs` to exit, then SIGKILL. Settles when no live process is left in it, or
 * half a second after the kill; never throws.
 */
export async function endProcessGroup(group: number, graceMs: number): Promise<void> {
  if (!isGroupAlive(group)) return
  signalGroup(group, 'SIGTERM')
  if (await isGoneWithin(group, graceMs)) return
  signalGroup(group, 'SIGKILL')
  await isGoneWithin(group, AFTER_KILL_MS)
}

/** Sends a signal to a group; false if the group does not exist or is not ours. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  return orElse(false, () => process.kill(-group, signal))
}

/**
 * True while a process of the group can still run. In a container without an init, zombies are never collected, and a
 * signal to them succeeds. So where there is `/proc`, zombies are recognized there.
 */
export function isGroupAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some((entry) => {
    const stat = /^\d+$/.test(entry) ? processStat(Number(entry)) : []
    return Number(stat[2]) === group && isLive(stat)
  })
}

async function isGoneWithin(group: number, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (isGroupAlive(group)) {
    if (performance.now() >= end) return false
    await delay(POLL_MS)
  }
  return true
}

/** Process groups that this process has started and not yet seen end. */
const live = new Set<number>()

/** Registers a process group; the returned function removes it. */
export function noteGroup(group: number): () => void {
  live.add(group)
  return () => void live.delete(group)
}

/** Kills all children at once, without waiting: for a process that has no time left. */
export function killLiveGroups(): void {
  for (const group of live) signalGroup(group, 'SIGKILL')
}

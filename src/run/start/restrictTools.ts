import type { Tool } from '../../Tool.ts'
import { getReadOnlyTools } from '../../tools.ts'
import type { Trust } from '../RunRequest.ts'

/** Reach the network in the name of the run. */
const NETWORK_TOOLS = ['WebFetch', 'WebSearch']

/**
 * The tools that are left if outsiders influenced the event: none that fetch, and without an enforced sandbox only
 * those that look. Other events leave the pool as it is.
 */
export function restrictTools(pool: readonly Tool[], trust: Trust, isSandboxed: boolean): readonly Tool[] {
  if (trust !== 'untrusted') return pool
  const kept = pool.filter(({ name }) => !NETWORK_TOOLS.includes(name))
  return isSandboxed ? kept : getReadOnlyTools(kept)
}

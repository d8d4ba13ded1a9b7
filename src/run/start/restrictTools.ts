import type { Tool } from '../../Tool.ts'
import { getReadOnlyTools } from '../../tools.ts'
import type { Trust } from '../RunRequest.ts'

/** Tools that access the network for the run. */
const NETWORK_TOOLS = ['WebFetch', 'WebSearch']

/**
 * The tools for an event that outsiders may have influenced: none that access the network, and without an enforced
 * sandbox only read-only ones. Other events keep all tools.
 */
export function restrictTools(pool: readonly Tool[], trust: Trust, isSandboxed: boolean): readonly Tool[] {
  if (trust !== 'untrusted') return pool
  const kept = pool.filter(({ name }) => !NETWORK_TOOLS.includes(name))
  return isSandboxed ? kept : getReadOnlyTools(kept)
}

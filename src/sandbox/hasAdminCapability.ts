import { readFileSync } from 'node:fs'
import { orElse } from '../lib/orElse.ts'

/** CAP_SYS_ADMIN: capabilities(7), linux/capability.h. */
const SYS_ADMIN = 21n

/**
 * True if this process can make namespaces without a user namespace: root on a machine, but usually not in a container.
 */
export function hasAdminCapability(): boolean {
  return orElse(false, () => {
    const [, capabilities = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return ((BigInt(`0x${capabilities}`) >> SYS_ADMIN) & 1n) === 1n
  })
}

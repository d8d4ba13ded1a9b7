import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * True while a process lives in the sandbox whose mounts come from this folder. A command may have ended before all that
 * it started has: what flees its group is killed with the sandbox, which takes the kernel a moment.
 */
export function hasTenants(scratch: string): boolean {
  const name = basename(scratch)
  const seen = new Set([namespaceOf('self')])
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .some((pid) => {
      const namespace = namespaceOf(pid)
      if (namespace === '' || seen.has(namespace)) return false
      const mounts = read(`/proc/${pid}/mountinfo`)
      // Empty where the process has just ended: others in its place may live.
      if (mounts !== '') seen.add(namespace)
      return mounts.includes(name)
    })
}

/** Empty for a process that is gone, or another user's. */
function namespaceOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`)
  } catch {
    return ''
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

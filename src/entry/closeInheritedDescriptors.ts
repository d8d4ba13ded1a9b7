import { closeSync, readdirSync, readFileSync } from 'node:fs'
import { orElse } from '../lib/orElse.ts'

const CLOSED_BY_EXEC = 0o2000000

/**
 * Closes the descriptors above 2 that this process inherited, except `kept`: every child would inherit them, even in a
 * sandbox. Node's own descriptors are not inherited. A descriptor that holds a lock (`flock 200; kode-run … 200>lock`)
 * stays open, because closing it may release the lock; those are returned. Linux only; does nothing elsewhere.
 */
export function closeInheritedDescriptors(kept: readonly number[]): readonly number[] {
  const locked: number[] = []
  for (const fd of orElse([], () => readdirSync('/proc/self/fd').map(Number))) {
    if (fd <= 2 || kept.includes(fd)) continue
    const info = infoOf(fd)
    if (info === undefined || (info.flags & CLOSED_BY_EXEC) !== 0) continue
    if (info.isLocked) locked.push(fd)
    else closeSync(fd)
  }
  return locked
}

/** The kernel's information about a descriptor (proc(5), `/proc/pid/fdinfo`); undefined if it is already closed. */
function infoOf(fd: number): { readonly flags: number; readonly isLocked: boolean } | undefined {
  return orElse(undefined, () => {
    const text = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')
    const flags = /^flags:\s*([0-7]+)$/m.exec(text)?.[1]
    return flags === undefined ? undefined : { flags: Number.parseInt(flags, 8), isLocked: /^lock:/m.test(text) }
  })
}

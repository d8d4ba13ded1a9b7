import { readRaw } from '../../lib/fs/atPath.ts'
import { processStat } from '../../lib/process/processIdentity.ts'

/** A process whose environment contains a value. */
export type KeyHolder = { readonly pid: number; readonly command: string }

/**
 * This process and its ancestors whose environment contains the value, as every process of this user can read it. A
 * variable deleted from `process.env` is still there. Empty without `/proc`; never throws.
 */
export function findKeyHolders(value: string): KeyHolder[] {
  const holders: KeyHolder[] = []
  for (let pid = process.pid; pid > 0; pid = Number(processStat(pid)[1] ?? 0)) {
    if (readRaw(`/proc/${pid}/environ`).includes(value)) {
      holders.push({ pid, command: readRaw(`/proc/${pid}/comm`).trim() })
    }
  }
  return holders
}

/** The warning for an operator if commands can read the key; otherwise empty. */
export function keyWarning(holders: readonly KeyHolder[], isSandboxed: boolean): readonly string[] {
  if (isSandboxed || holders.length === 0) return []
  const named = holders.map(({ pid, command }) => `${pid} (${command})`).join(', ')
  return [
    `the API key is in the environment of process ${named}: without the sandbox, every command of this user can read it in /proc; use --api-key-fd or --api-key-file instead`,
  ]
}

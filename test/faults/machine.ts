import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRaw } from '../../src/lib/fs/atPath.ts'
import { findProgram } from '../../src/sandbox/environment/childPath.ts'

/** Processes whose environment or words name the run's folder. */
export function processesOf(base: string): number[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return pids
    .map(Number)
    .filter((pid) => ['environ', 'cmdline'].some((file) => readRaw(`/proc/${pid}/${file}`).includes(base)))
}

/** Why nothing can be mounted here. */
export function mountProblem(): string | undefined {
  return process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'needs the right to mount'
}

/** Why no sandbox can be had here. */
export function sandboxProblem(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  return findProgram('bwrap', process.env['PATH'] ?? '') === undefined ? 'needs bubblewrap' : undefined
}

/** Why no system call can be made to fail here. */
export function straceProblem(): string | undefined {
  return findProgram('strace', process.env['PATH'] ?? '') === undefined ? 'needs strace' : undefined
}

const PROCESS_GROUPS = '/sys/fs/cgroup/pids'

/** Why no number of processes can be limited here. */
export function processGroupProblem(): string | undefined {
  try {
    accessSync(PROCESS_GROUPS, constants.W_OK)
    return undefined
  } catch {
    return 'needs a cgroup of processes that may be written'
  }
}

/** A group whose members and their children are at most `most` processes and threads. Remove it when they have ended. */
export function limitProcesses(most: number) {
  const folder = mkdtempSync(join(PROCESS_GROUPS, 'kode-run-'))
  writeFileSync(join(folder, 'pids.max'), String(most))
  return {
    add: (pid: number) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    wasReached: () => !/^max 0$/m.test(readFileSync(join(folder, 'pids.events'), 'utf8')),
    remove: () => rmdirSync(folder),
  }
}

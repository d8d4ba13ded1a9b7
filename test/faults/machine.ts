import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Processes whose environment or words name the run's folder. */
export function processesOf(base: string): number[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return pids
    .map(Number)
    .filter((pid) => ['environ', 'cmdline'].some((file) => read(`/proc/${pid}/${file}`).includes(base)))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The process is gone.
    return ''
  }
}

/** Why nothing can be mounted here. */
export function mountProblem(): string | undefined {
  return process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'needs the right to mount'
}

/** Why no sandbox can be had here. */
export function sandboxProblem(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.some((folder) => existsIn(folder, 'bwrap')) ? undefined : 'needs bubblewrap'
}

/** Why no system call can be made to fail here. */
export function straceProblem(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.some((folder) => existsIn(folder, 'strace')) ? undefined : 'needs strace'
}

function existsIn(folder: string, name: string): boolean {
  try {
    return readdirSync(folder).includes(name)
  } catch {
    // A folder of PATH that does not exist.
    return false
  }
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

import { readdirSync, readFileSync } from 'node:fs'

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

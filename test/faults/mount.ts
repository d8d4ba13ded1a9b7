import { execFileSync } from 'node:child_process'
import type { Lab } from './openLab.ts'

/** Why nothing can be mounted here. */
export function mountProblem(): string | undefined {
  return process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'needs the right to mount'
}

/** A small file system of its own; it is gone when the lab closes. */
export function mount(lab: Lab, options: string): string {
  const point = lab.folder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', point])
  lab.onClose(() => execFileSync('umount', [point]))
  return point
}

import { execFileSync } from 'node:child_process'
import type { Lab } from './openLab.ts'

/** A small file system of its own; it is gone when the lab closes. */
export function mount(lab: Lab, options: string): string {
  const point = lab.folder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', point])
  lab.onClose(() => execFileSync('umount', [point]))
  return point
}

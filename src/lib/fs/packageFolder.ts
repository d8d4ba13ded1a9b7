import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the installed package: the nearest one above this file that has `presets/`, in the sources and in `dist/` alike. */
export function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'presets', 'read-only.yml'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`no presets/ above ${import.meta.dirname}: the installation is incomplete`)
    folder = parent
  }
  return folder
}

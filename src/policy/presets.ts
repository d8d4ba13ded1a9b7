import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The presets that a policy may name, each a file in `presets/`. */
export const presets = [
  'read-only',
  'workspace',
  'git-commit',
  'node',
  'python',
  'go',
  'rust',
  'make',
  'github-read',
] as const

export type PresetName = (typeof presets)[number]

/** The file of a preset, as the places of its rules show it: `preset:node:12` is its line 12. */
export function readPreset(name: PresetName): string {
  return readFileSync(join(packageFolder(), 'presets', `${name}.yml`), 'utf8')
}

/** True for a preset's rule: its author is not the user, so remarks on it would not help. */
export function isOfPreset({ file }: { readonly file: string }): boolean {
  return file.startsWith('preset:')
}

/** The folder of the installed package: the nearest one above this file that has `presets/`, in the sources and in `dist/` alike. */
function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'presets', 'read-only.yml'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`no presets/ above ${import.meta.dirname}: the installation is incomplete`)
    folder = parent
  }
  return folder
}

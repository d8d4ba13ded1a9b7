import { access, constants, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { orElse } from '../../lib/orElse.ts'

const FOLDERS = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
  '/run/current-system/sw/bin',
]

/**
 * The absolute path of a ripgrep that the workspace cannot have planted: from the optional package, from the Action, or
 * from the system. Undefined if there is none outside the working directories. Ignores PATH.
 */
export async function findRipgrep(workingDirectories: readonly string[]): Promise<string | undefined> {
  for (const candidate of [packagedRipgrep(), ...carriedRipgrep(), ...FOLDERS.map((folder) => join(folder, 'rg'))]) {
    const path = candidate && (await executableAt(candidate))
    if (path && !workingDirectories.some((directory) => isWithin(path, directory))) return path
  }
  return undefined
}

/** By `require`: a script whose compiled code is kept has no `import()` on Node 20. */
function packagedRipgrep(): string | undefined {
  // An optional dependency: not there for every platform, and not in a bundle.
  return orElse(undefined, () => createRequire(import.meta.url)('@vscode/ripgrep').rgPath)
}

/** A release tag of the Action carries binaries beside the bundle: this code is in `dist/` or in `dist/chunks/`. */
function carriedRipgrep(): string[] {
  const place = join('ripgrep', `${process.platform}-${process.arch}`, 'rg')
  return [join(import.meta.dirname, place), join(import.meta.dirname, '..', place)]
}

async function executableAt(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    await access(real, constants.X_OK)
    return real
  } catch {
    return undefined
  }
}

import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from '../lib/isWithin.ts'
import type { Mount } from './bubblewrapArguments.ts'

/** Below the home folder: what toolchains consist of, and git's settings. All else is not there. */
const TOOLS = [
  ...[
    '.cargo',
    '.rustup',
    '.nvm',
    '.fnm',
    '.volta',
    '.nodenv',
    '.bun',
    '.deno',
    '.local/share/pnpm',
    '.local/share/fnm',
  ],
  ...['.pyenv', '.local/share/uv', '.local/pipx', '.local/share/pipx', 'miniconda3', 'anaconda3', 'miniforge3'],
  ...['.rbenv', '.rvm', '.gem/ruby', '.sdkman', '.jenv', '.m2/repository', '.m2/wrapper', '.gradle/wrapper', '.dotnet'],
  ...['go', '.goenv', 'sdk', '.ghcup', '.cabal', '.stack', '.opam', '.elan', '.juliaup', '.swiftly', '.phpenv'],
  ...['.asdf', '.local/share/mise', '.proto', '.nix-profile', '.local/state/nix', '.local/bin', '.local/lib'],
  ...['.gitconfig', '.config/git'],
]

/** What of the home folder shows: absolute, and where it really is. */
export function shownAtHome(home: string): Mount[] {
  return TOOLS.map((name) => join(home, name)).flatMap(shown)
}

/** A place that shows read-only where it exists. */
export function shown(path: string): Mount[] {
  return existsSync(path) ? [{ kind: 'readOnly', source: realpathSync(path), target: path }] : []
}

/** Where the home folder really is; undefined where there is none of its own: it is missing, or in a workspace. */
export function separateHome(home: string | undefined, workspaces: readonly string[]): string | undefined {
  const real = home === undefined ? undefined : realFolder(home)
  if (real === undefined || real === '/' || workspaces.some((workspace) => isWithin(real, workspace))) return undefined
  return real
}

/** Where a folder really is; undefined where there is none. */
function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path)
    return lstatSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

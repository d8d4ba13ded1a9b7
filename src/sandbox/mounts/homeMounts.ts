import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isFolder } from '../../lib/fs/folders.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { wordsIn } from '../../lib/text/words.ts'
import type { Mount } from '../bubblewrapArguments.ts'

/** Below the home folder: toolchains and git's settings. Nothing else is visible. */
const TOOLS = wordsIn(
  '.cargo .rustup .nvm .fnm .volta .nodenv .bun .deno .local/share/pnpm .local/share/fnm',
  '.pyenv .local/share/uv .local/pipx .local/share/pipx miniconda3 anaconda3 miniforge3',
  '.rbenv .rvm .gem/ruby .sdkman .jenv .m2/repository .m2/wrapper .gradle/wrapper .dotnet',
  'go .goenv sdk .ghcup .cabal .stack .opam .elan .juliaup .swiftly .phpenv',
  '.asdf .local/share/mise .proto .nix-profile .local/state/nix .local/bin .local/lib',
  '.gitconfig .config/git',
)

/** The visible parts of the home folder: as named, and their real paths. */
export function homeMounts(home: string): Mount[] {
  return TOOLS.map((name) => join(home, name)).flatMap(visibleMounts)
}

/** A place that is visible read-only if it exists. */
export function visibleMounts(path: string): Mount[] {
  return existsSync(path) ? [{ kind: 'readOnly', source: realpathSync(path), target: path }] : []
}

/** The real path of the home folder; undefined if it is missing or in a workspace. */
export function separateHome(home: string | undefined, workspaces: readonly string[]): string | undefined {
  const real = home !== undefined && isFolder(home) ? realpathSync(home) : undefined
  if (real === undefined || real === '/' || workspaces.some((workspace) => isWithin(real, workspace))) return undefined
  return real
}

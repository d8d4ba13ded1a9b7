import type { Word } from '../../contracts/subject.ts'
import { textOf } from './literalWord.ts'

/** Programs that run what their words name, and the subcommands that do so; none if they always do. */
const RUNNERS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...rows(
    'npx pnpx bunx uvx corepack cross-env cross-env-shell dotenv dotenvx env-cmd concurrently hyperfine nodemon',
    '',
  ),
  ...rows('watchexec nix-shell ssh sudo', ''),
  ...rows(
    'poetry pipenv uv hatch pdm rye conda mamba micromamba pipx doppler op teller infisical volta heroku flatpak',
    'run',
  ),
  ...rows('bundle asdf direnv rbenv pyenv nodenv goenv fnm nvm aws-vault chamber lerna lxc', 'exec run'),
  ...rows('docker podman nerdctl docker-compose kubectl compose', 'exec run debug'),
  ...rows('python python2 python3 pypy3 coverage', '-m run'),
  ...rows('ip', 'exec'),
  ...rows('cmake', '-E -P'),
  ...rows('tox', 'exec e devenv'),
  ...rows('npm', 'exec x explore env'),
  ...rows('pnpm', 'exec dlx'),
  ...rows('yarn', 'exec dlx env run'),
  ...rows('bun', 'x run'),
  ...rows('mise', 'exec x'),
  ...rows('nix', 'run shell develop'),
  ...rows('git', 'bisect submodule rebase'),
])

function rows(names: string, subcommands: string): [string, readonly string[]][] {
  return names.split(' ').map((name) => [name, subcommands === '' ? [] : subcommands.split(' ')])
}

/** True for a command that runs a program which its own words name. Deny rules check every suffix of them. */
export function isRunner(name: string, argv: readonly Word[]): boolean {
  const subcommands = RUNNERS.get(name)
  if (subcommands === undefined) return false
  return subcommands.length === 0 || argv.slice(1).some((word) => subcommands.includes(textOf(word)))
}

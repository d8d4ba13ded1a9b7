import type { Word } from '../contracts/subject.ts'

/** Programs that run what their words name, and the sub-commands by which they do; none where they always do. */
const RUNNERS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...'npx pnpx bunx uvx corepack cross-env cross-env-shell dotenv dotenvx env-cmd concurrently hyperfine nodemon watchexec'
    .split(' ')
    .map((name): [string, readonly string[]] => [name, []]),
  ...'poetry pipenv uv hatch pdm rye conda mamba micromamba pipx doppler op teller infisical volta heroku flatpak snap'
    .split(' ')
    .map((name): [string, readonly string[]] => [name, ['run']]),
  ...'bundle asdf direnv rbenv pyenv nodenv goenv fnm nvm aws-vault chamber lerna lxc'
    .split(' ')
    .map((name): [string, readonly string[]] => [name, ['exec', 'run']]),
  ...'docker podman nerdctl docker-compose kubectl compose'
    .split(' ')
    .map((name): [string, readonly string[]] => [name, ['exec', 'run', 'debug']]),
  ['ip', ['exec']],
  ['cmake', ['-E', '-P']],
  ['tox', ['exec', 'e', 'devenv']],
  ['npm', ['exec', 'x', 'explore', 'env']],
  ['pnpm', ['exec', 'dlx']],
  ['yarn', ['exec', 'dlx', 'env']],
  ['bun', ['x', 'run']],
  ['mise', ['exec', 'x']],
  ['nix', ['run', 'shell', 'develop']],
  ['nix-shell', []],
])

/** True for a command that runs a program which its own words name: deny looks at every end of them. */
export function isRunner(name: string, argv: readonly Word[]): boolean {
  const subcommands = RUNNERS.get(name)
  if (subcommands === undefined) return false
  return (
    subcommands.length === 0 ||
    argv.slice(1).some((word) => word.kind === 'literal' && subcommands.includes(word.value))
  )
}

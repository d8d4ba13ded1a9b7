/** A place with a built-in protection: `name` is what a rule must name to open it. */
export type Protection = { readonly name: string; readonly why: string }

/** A protection, and the paths that it is about, in lower case. */
export type Place = Protection & { readonly pattern: RegExp }

function place(name: string, why: string, pattern: RegExp): Place {
  return { name, why, pattern }
}

const SETTINGS = 'it steers agents and editors'
const CREDENTIALS = 'it holds credentials'

/** Not written without a rule that names them: what these hold is run, or steers what is run. */
const write: readonly Place[] = [
  place('.git', 'git runs what stands there', /\/\.git(?:\/|$)/),
  place('.git/hooks', 'git runs what stands there', /\/\.git\/(?:.*\/)?hooks(?:\/|$)/),
  place('.git/config', 'it names programs that git runs', /\/\.git\/(?:.*\/)?config(?:\.worktree)?$/),
  place('.git/commondir', 'it leads git to what it runs', /\/\.git\/(?:.*\/)?commondir$/),
  place('.git/info', 'it steers git', /\/\.git\/(?:.*\/)?info(?:\/|$)/),
  place('.github', 'GitHub runs what stands below', /\/\.github$/),
  place('.github/workflows', 'GitHub runs it', /\/\.github\/workflows(?:\/|$)/),
  place('.github/actions', 'GitHub runs it', /\/\.github\/actions(?:\/|$)/),
  place('.kode', SETTINGS, /\/\.kode(?:\/|$)/),
  place('.claude', SETTINGS, /\/\.claude(?:\/|$)/),
  place('.husky', 'git runs what stands there', /\/\.husky(?:\/|$)/),
  place('.vscode', SETTINGS, /\/\.vscode(?:\/|$)/),
  place('.devcontainer', 'editors run what stands there', /\/\.devcontainer(?:\/|$)/),
  place('.cursor', SETTINGS, /\/\.cursor(?:\/|rules$|$)/),
  place('.codex', SETTINGS, /\/\.codex(?:\/|$)/),
  place('.gemini', SETTINGS, /\/\.gemini(?:\/|$)/),
  place('.circleci', 'CI runs it', /\/\.circleci(?:\/|$)/),
  place('.gitlab-ci.yml', 'CI runs it', /\/\.gitlab-ci\.ya?ml$/),
  place('.gitea/workflows', 'CI runs it', /\/\.(?:gitea|forgejo)\/(?:workflows|actions)(?:\/|$)/),
  place(
    'other CI files',
    'CI runs it',
    /\/(?:jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|\.woodpecker\.ya?ml)$/,
  ),
  place('.buildkite', 'CI runs it', /\/\.(?:buildkite|woodpecker)(?:\/|$)/),
  place('.idea', SETTINGS, /\/\.idea(?:\/|$)/),
  place('.config/git', 'it names programs that git runs', /\/\.config\/git(?:\/|$)/),
  place('.yarn/releases', 'yarn runs it', /\/\.yarn\/(?:releases|plugins)(?:\/|$)/),
  place('.pnpmfile.cjs', 'pnpm runs it', /\/\.pnpmfile\.c?js$/),
  place('.mvn', 'it steers what maven runs', /\/\.mvn(?:\/|$)/),
  place(
    'a folder of settings',
    'what is put there whole steers programs',
    /\/\.(?:cargo|gitea|forgejo|m2|docker|kube|config)$/,
  ),
  place('.yarnrc.yml', 'it names programs that yarn runs', /\/\.yarnrc(?:\.ya?ml)?$/),
  place('.pre-commit-config.yaml', 'git hooks run what it names', /\/\.pre-commit-config\.ya?ml$/),
  place('.cargo/config.toml', 'it names programs that cargo runs', /\/\.cargo\/config(?:\.toml)?$/),
  place('rust-toolchain.toml', 'it names programs that cargo runs', /\/rust-toolchain(?:\.toml)?$/),
  place('mise.toml', 'it names programs that shells run', /\/\.?mise(?:\.[\w-]+)?\.toml$|\/\.tool-versions$/),
  place('.gitconfig', 'it names programs that git runs', /\/\.gitconfig$/),
  place('.envrc', 'shells run it', /\/\.envrc$/),
  place('.mcp.json', SETTINGS, /\/\.mcp\.json$/),
  place('.npmrc', 'it steers what npm runs and where its token goes', /\/\.npmrc$/),
  place('.gitmodules', 'it steers git', /\/\.gitmodules$/),
  place('.gitattributes', 'it names programs that git runs', /\/\.gitattributes$/),
  place(
    'shell start files',
    'shells run it',
    /\/\.(?:bashrc|bash_(?:profile|login|logout|aliases)|profile|z(?:shrc|shenv|profile|login|logout)|kshrc|t?cshrc|login|inputrc|config\/fish(?:\/.*)?)$/,
  ),
]

/** Neither read nor written without a rule that names them. */
const credentials: readonly Place[] = [
  place('~/.ssh', CREDENTIALS, /\/\.ssh(?:\/|$)/),
  place('~/.aws', CREDENTIALS, /\/\.aws(?:\/|$)/),
  place('~/.config/gh', CREDENTIALS, /\/\.config\/gh(?:\/|$)/),
  place('~/.netrc', CREDENTIALS, /\/[._]netrc$/),
  place('~/.git-credentials', CREDENTIALS, /\/\.git-credentials$|\/\.config\/git\/credentials$/),
  place('~/.docker/config.json', CREDENTIALS, /\/\.docker\/config\.json$/),
  place('~/.kube/config', CREDENTIALS, /\/\.kube\/config$/),
  place('~/.config/gcloud', CREDENTIALS, /\/\.config\/gcloud(?:\/|$)/),
  place('~/.azure', CREDENTIALS, /\/\.azure(?:\/|$)/),
  place('~/.gnupg', CREDENTIALS, /\/\.gnupg(?:\/|$)/),
  place('~/.pypirc', CREDENTIALS, /\/\.pypirc$/),
  place('~/.pgpass', CREDENTIALS, /\/\.pgpass$/),
  place('~/.cargo/credentials', CREDENTIALS, /\/\.cargo\/credentials(?:\.toml)?$/),
  place('~/.m2/settings.xml', CREDENTIALS, /\/\.m2\/settings(?:-security)?\.xml$/),
  place('~/.claude/.credentials.json', CREDENTIALS, /\/\.claude\/\.credentials\.json$/),
]

const read: readonly Place[] = [
  place('.env', 'it holds secrets', /\/\.env(?:\.(?!(?:.*\.)?(?:example|sample|template)$)[^/]*)?$/),
  place('.envrc', 'it holds secrets', /\/\.envrc$/),
  place('*.pem', 'it holds keys', /\.pem$/),
  place('*.key', 'it holds keys', /\.(?:key|ppk|kdbx)$/),
  place('credentials.json', CREDENTIALS, /\/(?:credentials|service[-_]account[\w-]*)\.json$/),
  place('tokens', CREDENTIALS, /\/\.(?:vault-token|htpasswd|s3cfg|boto|dev\.vars)$/),
  place('*.p12', 'it holds keys', /\.(?:p12|pfx|keystore|jks)$/),
  place('shell histories', 'it may hold secrets', /\/\.(?:bash|zsh|sh|psql|mysql|python|node_repl)_?history$/),
  place('/run/secrets', CREDENTIALS, /^\/(?:var\/)?run\/secrets(?:\/|$)/),
  place('/etc/shadow', CREDENTIALS, /^\/etc\/g?shadow-?$/),
  place('id_*', 'it holds a private key', /\/id_(?:[^/.]*|(?:rsa|dsa|ecdsa|ed25519|xmss)[^/]*)$/),
  place('.git/config', 'it may hold a token', /\/\.git\/(?:.*\/)?config(?:\.worktree)?$/),
  place('git-credentials-*.config', 'a checkout step keeps its token there', /\/git-credentials-[^/]*\.config$/),
]

/** Protected by what they are called, wherever they lie. */
export const protectedPlaces = { write, read, credentials } as const

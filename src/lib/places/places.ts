/** What a place is protected against. */
export type PlaceKind =
  /** Not written without a rule that names it: its content is run, or controls what is run. */
  | 'write-protected'
  /** Not read without a rule that names it, and empty for commands. */
  | 'read-secret'
  /** Neither read nor written without a rule that names it: it contains credentials. */
  | 'home-credential'

/** A place with a built-in protection. A rule that opens it must name it. */
export type Place = {
  readonly kind: PlaceKind
  /** Its name for people and rules. */
  readonly name: string
  /** The end of a sentence: `.npmrc is protected: it controls what npm runs`. */
  readonly why: string
  /**
   * As in an ignore file: a name matches at any depth, `/name` from the root, `~/name` from the home folder. `name/**`
   * is a folder and everything below it; `!` excludes from an earlier pattern. Braces are alternatives. Case is
   * ignored.
   */
  readonly patterns: readonly string[]
}

const GIT_RUNS = 'git runs what is there'
const SETTINGS = 'it controls agents and editors'
const CREDENTIALS = 'it holds credentials'
const KEYS = 'it holds keys'
const CI = 'CI runs it'

/** The one table of protected and secret places, used by rules, the sandbox, patches and `init`. */
export const PLACES: readonly Place[] = [
  guard('.git', GIT_RUNS, ['.git/**']),
  guard('.git/hooks', GIT_RUNS, ['.git/**/hooks/**']),
  guard('.git/config', 'it names programs that git runs', ['.git/**/config', '.git/**/config.worktree']),
  guard('.git/commondir', 'it points git to programs', ['.git/**/commondir']),
  guard('.git/info', 'it controls git', ['.git/**/info/**']),
  guard('.github', 'GitHub runs what is in it', ['.github']),
  guard('.github/workflows', 'GitHub runs it', ['.github/workflows/**']),
  guard('.github/actions', 'GitHub runs it', ['.github/actions/**']),
  guard('.kode', SETTINGS, ['.kode/**']),
  guard('.claude', SETTINGS, ['.claude/**']),
  guard('.husky', GIT_RUNS, ['.husky/**']),
  guard('.vscode', SETTINGS, ['.vscode/**']),
  guard('.devcontainer', 'editors run what is there', ['.devcontainer/**']),
  guard('.cursor', SETTINGS, ['.cursor/**', '.cursorrules']),
  guard('.codex', SETTINGS, ['.codex/**']),
  guard('.gemini', SETTINGS, ['.gemini/**']),
  guard('.circleci', CI, ['.circleci/**']),
  guard('.gitlab-ci.yml', CI, ['.gitlab-ci.{yml,yaml}']),
  guard('.gitea/workflows', CI, ['.{gitea,forgejo}/{workflows,actions}/**']),
  guard('other CI files', CI, [
    'Jenkinsfile',
    '{azure-pipelines,bitbucket-pipelines,.travis,.drone,.woodpecker}.{yml,yaml}',
  ]),
  guard('.buildkite', CI, ['.{buildkite,woodpecker}/**']),
  guard('.idea', SETTINGS, ['.idea/**']),
  guard('.config/git', 'it names programs that git runs', ['.config/git/**']),
  guard('.yarn/releases', 'yarn runs it', ['.yarn/{releases,plugins}/**']),
  guard('.pnpmfile.cjs', 'pnpm runs it', ['.pnpmfile.{cjs,js}']),
  guard('.mvn', 'it controls what maven runs', ['.mvn/**']),
  guard('a folder of settings', 'its files control programs', ['.{cargo,gitea,forgejo,m2,docker,kube,config}']),
  guard('.yarnrc.yml', 'it names programs that yarn runs', ['.yarnrc', '.yarnrc.{yml,yaml}']),
  guard('.pre-commit-config.yaml', 'git hooks run what it names', ['.pre-commit-config.{yaml,yml}']),
  guard('.cargo/config.toml', 'it names programs that cargo runs', ['.cargo/config', '.cargo/config.toml']),
  guard('rust-toolchain.toml', 'it names programs that cargo runs', ['rust-toolchain', 'rust-toolchain.toml']),
  guard('mise.toml', 'it names programs that shells run', [
    '{mise,.mise}.toml',
    '{mise,.mise}.*.toml',
    '.tool-versions',
  ]),
  guard('.gitconfig', 'it names programs that git runs', ['.gitconfig']),
  guard('.envrc', 'shells run it', ['.envrc']),
  guard('.mcp.json', SETTINGS, ['.mcp.json']),
  guard('.npmrc', 'it controls what npm runs and where its token goes', ['.npmrc']),
  guard('.gitmodules', 'it controls git', ['.gitmodules']),
  guard('.gitattributes', 'it names programs that git runs', ['.gitattributes']),
  guard('a shell start file', 'shells run it', [
    '.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,zshrc,zshenv,zprofile,zlogin,zlogout}',
    '.{kshrc,cshrc,tcshrc,login,inputrc}',
    '.config/fish/**',
  ]),

  secret('.env', 'it holds secrets', [
    '.env',
    '.env.*',
    '!.env.{example,sample,template}',
    '!.env.*.{example,sample,template}',
  ]),
  secret('.envrc', 'it holds secrets', ['.envrc']),
  secret('*.pem', KEYS, ['*.pem']),
  secret('*.key', KEYS, ['*.{key,ppk,kdbx}']),
  secret('*.p12', KEYS, ['*.{p12,pfx,keystore,jks}']),
  secret('id_*', 'it holds a private key', ['id_*', '!id_*.*', 'id_{rsa,dsa,ecdsa,ed25519,xmss}*']),
  secret('credentials.json', CREDENTIALS, ['credentials.json', 'service{-,_}account*.json', 'gha-creds-*.json']),
  secret('tokens', CREDENTIALS, ['.{vault-token,htpasswd,s3cfg,boto,dev.vars}']),
  secret('shell histories', 'it may hold secrets', [
    '.{bash,zsh,sh,psql,mysql,python,node_repl}_history',
    '.{bash,zsh,sh,psql,mysql,python,node_repl}history',
  ]),
  secret('.git/config', 'it may hold a token', ['.git/**/config', '.git/**/config.worktree']),
  secret('git-credentials-*.config', 'a checkout step keeps its token there', ['git-credentials-*.config']),
  secret('/run/secrets', CREDENTIALS, ['/run/secrets/**', '/var/run/secrets/**']),
  secret('/etc/shadow', CREDENTIALS, [
    '/etc/{shadow,gshadow,shadow-,gshadow-,sudoers,sudoers.d/**,security/opasswd,krb5.keytab}',
    '/etc/{ssh/ssh_host_*_key,ssl/private/**,wireguard/**,letsencrypt/**,kubernetes/**,rancher/**}',
    '/etc/{docker/key.json,NetworkManager/system-connections/**,apt/auth.conf,apt/auth.conf.d/**}',
  ]),
  secret('~/.npmrc', CREDENTIALS, ['~/.npmrc']),

  login('~/.ssh', ['.ssh/**']),
  login('~/.aws', ['.aws/**']),
  login('~/.config/gh', ['.config/gh/**']),
  login('~/.netrc', ['.netrc', '_netrc']),
  login('~/.git-credentials', ['.git-credentials', '.config/git/credentials']),
  login('~/.docker/config.json', ['.docker/config.json']),
  login('~/.kube/config', ['.kube/config']),
  login('~/.config/gcloud', ['.config/gcloud/**']),
  login('~/.azure', ['.azure/**']),
  login('~/.gnupg', ['.gnupg/**']),
  login('~/.pypirc', ['.pypirc']),
  login('~/.pgpass', ['.pgpass']),
  login('~/.cargo/credentials', ['.cargo/credentials', '.cargo/credentials.toml']),
  login('~/.m2/settings.xml', ['.m2/{settings,settings-security}.xml']),
  login('~/.claude/.credentials.json', ['.claude/.credentials.json']),
  login('the login of a package manager', [
    '~/{.gem/credentials,.gradle/gradle.properties,.nuget/NuGet/**,.composer/auth.json,.config/composer/auth.json}',
    '~/{.bundle/config,.conda/**,.condarc,.config/pip/**,.pip/**,.config/pypoetry/**,.config/uv/**,.config/hub}',
  ]),
  login('the login of a cloud', [
    '~/{.docker/**,.kube/**,.oci/**,.fly/**,.heroku/**,.vercel/**,.terraform.d/**,.terraformrc,.vault-token,.boto}',
    '~/.config/{containers,doctl,rclone,helm,op,netlify,configstore,glab-cli}/**',
    '~/{.password-store/**,.my.cnf,.local/share/keyrings/**}',
  ]),
  login('the login of an agent', [
    '~/{.claude.json,.anthropic/**,.config/anthropic/**,.codex/auth.json,.config/kode/**,.kode.json}',
    '~/.gemini/{oauth_creds,google_accounts}.json',
  ]),
  login('a browser profile', ['~/{.mozilla,.thunderbird,.config/google-chrome,.config/chromium}/**']),
]

function guard(name: string, why: string, patterns: readonly string[]): Place {
  return { kind: 'write-protected', name, why, patterns }
}

function secret(name: string, why: string, patterns: readonly string[]): Place {
  return { kind: 'read-secret', name, why, patterns }
}

function login(name: string, patterns: readonly string[]): Place {
  return { kind: 'home-credential', name, why: CREDENTIALS, patterns }
}

import { foldText } from './foldText.ts'
import { mayNamesMeet } from './matchers/mayMeet.ts'

/** A place with a built-in protection: `name` is what a rule must name to open it. */
export type Protection = { readonly name: string; readonly why: string }

type Entry = Protection & { readonly pattern: RegExp }

function entry(name: string, why: string, pattern: RegExp): Entry {
  return { name, why, pattern }
}

const SETTINGS = 'it steers agents and editors'
const CREDENTIALS = 'it holds credentials'

/** Not written without a rule that names them: what these hold is run, or steers what is run. */
const WRITE: readonly Entry[] = [
  entry('.git', 'git runs what stands there', /\/\.git(?:\/|$)/),
  entry('.git/hooks', 'git runs what stands there', /\/\.git\/(?:.*\/)?hooks(?:\/|$)/),
  entry('.git/config', 'it names programs that git runs', /\/\.git\/(?:.*\/)?config(?:\.worktree)?$/),
  entry('.git/commondir', 'it leads git to what it runs', /\/\.git\/(?:.*\/)?commondir$/),
  entry('.git/info', 'it steers git', /\/\.git\/(?:.*\/)?info(?:\/|$)/),
  entry('.github', 'GitHub runs what stands below', /\/\.github$/),
  entry('.github/workflows', 'GitHub runs it', /\/\.github\/workflows(?:\/|$)/),
  entry('.github/actions', 'GitHub runs it', /\/\.github\/actions(?:\/|$)/),
  entry('.kode', SETTINGS, /\/\.kode(?:\/|$)/),
  entry('.claude', SETTINGS, /\/\.claude(?:\/|$)/),
  entry('.husky', 'git runs what stands there', /\/\.husky(?:\/|$)/),
  entry('.vscode', SETTINGS, /\/\.vscode(?:\/|$)/),
  entry('.devcontainer', 'editors run what stands there', /\/\.devcontainer(?:\/|$)/),
  entry('.cursor', SETTINGS, /\/\.cursor(?:\/|rules$|$)/),
  entry('.codex', SETTINGS, /\/\.codex(?:\/|$)/),
  entry('.gemini', SETTINGS, /\/\.gemini(?:\/|$)/),
  entry('.circleci', 'CI runs it', /\/\.circleci(?:\/|$)/),
  entry('.gitlab-ci.yml', 'CI runs it', /\/\.gitlab-ci\.ya?ml$/),
  entry('.gitea/workflows', 'CI runs it', /\/\.(?:gitea|forgejo)\/(?:workflows|actions)(?:\/|$)/),
  entry('.yarnrc.yml', 'it names programs that yarn runs', /\/\.yarnrc(?:\.ya?ml)?$/),
  entry('.pre-commit-config.yaml', 'git hooks run what it names', /\/\.pre-commit-config\.ya?ml$/),
  entry('.cargo/config.toml', 'it names programs that cargo runs', /\/\.cargo\/config(?:\.toml)?$/),
  entry('.gitconfig', 'it names programs that git runs', /\/\.gitconfig$/),
  entry('.envrc', 'shells run it', /\/\.envrc$/),
  entry('.mcp.json', SETTINGS, /\/\.mcp\.json$/),
  entry('.npmrc', 'it steers what npm runs and where its token goes', /\/\.npmrc$/),
  entry('.gitmodules', 'it steers git', /\/\.gitmodules$/),
  entry('.gitattributes', 'it names programs that git runs', /\/\.gitattributes$/),
  entry(
    'shell start files',
    'shells run it',
    /\/\.(?:bashrc|bash_(?:profile|login|logout|aliases)|profile|z(?:shrc|shenv|profile|login|logout)|kshrc|t?cshrc|login|inputrc|config\/fish(?:\/.*)?)$/,
  ),
]

/** Neither read nor written without a rule that names them. */
const CREDENTIAL_PLACES: readonly Entry[] = [
  entry('~/.ssh', CREDENTIALS, /\/\.ssh(?:\/|$)/),
  entry('~/.aws', CREDENTIALS, /\/\.aws(?:\/|$)/),
  entry('~/.config/gh', CREDENTIALS, /\/\.config\/gh(?:\/|$)/),
  entry('~/.netrc', CREDENTIALS, /\/[._]netrc$/),
  entry('~/.git-credentials', CREDENTIALS, /\/\.git-credentials$|\/\.config\/git\/credentials$/),
  entry('~/.docker/config.json', CREDENTIALS, /\/\.docker\/config\.json$/),
  entry('~/.kube/config', CREDENTIALS, /\/\.kube\/config$/),
  entry('~/.config/gcloud', CREDENTIALS, /\/\.config\/gcloud(?:\/|$)/),
  entry('~/.azure', CREDENTIALS, /\/\.azure(?:\/|$)/),
  entry('~/.gnupg', CREDENTIALS, /\/\.gnupg(?:\/|$)/),
  entry('~/.pypirc', CREDENTIALS, /\/\.pypirc$/),
  entry('~/.pgpass', CREDENTIALS, /\/\.pgpass$/),
  entry('~/.cargo/credentials', CREDENTIALS, /\/\.cargo\/credentials(?:\.toml)?$/),
  entry('~/.m2/settings.xml', CREDENTIALS, /\/\.m2\/settings(?:-security)?\.xml$/),
  entry('~/.claude/.credentials.json', CREDENTIALS, /\/\.claude\/\.credentials\.json$/),
]

const READ: readonly Entry[] = [
  entry('.env', 'it holds secrets', /\/\.env(?:\.(?!(?:.*\.)?(?:example|sample|template)$)[^/]*)?$/),
  entry('.envrc', 'it holds secrets', /\/\.envrc$/),
  entry('*.pem', 'it holds keys', /\.pem$/),
  entry('*.p12', 'it holds keys', /\.(?:p12|pfx|keystore|jks)$/),
  entry('shell histories', 'it may hold secrets', /\/\.(?:bash|zsh|sh|psql|mysql|python|node_repl)_?history$/),
  entry('/run/secrets', CREDENTIALS, /^\/(?:var\/)?run\/secrets(?:\/|$)/),
  entry('/etc/shadow', CREDENTIALS, /^\/etc\/g?shadow-?$/),
  entry('id_*', 'it holds a private key', /\/id_(?:[^/.]*|(?:rsa|dsa|ecdsa|ed25519|xmss)[^/]*)$/),
  entry('.git/config', 'it may hold a token', /\/\.git\/(?:.*\/)?config(?:\.worktree)?$/),
  entry('git-credentials-*.config', 'a checkout step keeps its token there', /\/git-credentials-[^/]*\.config$/),
]

const KERNEL = entry('/proc, /sys and /dev', 'it shows the machine, not the project', /^\/(?:proc|sys|dev)(?:\/|$)/)
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd\/\d+)$/

/** Anything a protection could be about has one of these. */
const SUSPICIOUS =
  /\/[._]|\.(?:pem|p12|pfx|keystore|jks)$|\/git-credentials|\/id_|^\/(?:proc|sys|dev)(?:\/|$)|^\/(?:var\/)?run\/|^\/etc\/g?shadow/

/** The protections that an absolute path falls under, compared without case. Empty for ordinary paths. */
export function protectionsOf(path: string, access: 'read' | 'write', home: string): readonly Protection[] {
  const text = foldText(path)
  if (!SUSPICIOUS.test(text)) return []
  const entries = access === 'read' ? [...READ, ...CREDENTIAL_PLACES] : [...WRITE, ...CREDENTIAL_PLACES]
  const found: Protection[] = entries.filter(({ pattern }) => pattern.test(text))
  if (isKernelPath(text)) found.push(KERNEL)
  if (access === 'read' && text === foldText(`${home}/.npmrc`)) {
    found.push({ name: '~/.npmrc', why: CREDENTIALS })
  }
  return found
}

/** Project files that a person may well want changed; every other protected place is opened by nobody's advice. */
const OPENABLE = new Set(
  ['.github', '.github/workflows', '.github/actions', '.kode', '.claude', '.husky', '.vscode', '.mcp.json'].concat([
    ...['.npmrc', '.gitmodules', '.gitattributes', '.devcontainer', '.cursor', '.codex', '.gemini', '.circleci'],
    ...['.gitlab-ci.yml', '.gitea/workflows', '.yarnrc.yml', '.pre-commit-config.yaml', '.cargo/config.toml'],
  ]),
)

/** True where a rule that opens the path may be suggested. One for writing opens it for reading too. */
export function isOpenable(path: string, home: string): boolean {
  const protections = [...protectionsOf(path, 'read', home), ...protectionsOf(path, 'write', home)]
  return protections.every(({ name }) => OPENABLE.has(name))
}

/** Names that a word with wildcards may be meant for; a star alone is not taken to mean them. */
const READ_NAMES = [
  '.env',
  '.env.local',
  '.ssh',
  '.aws',
  '.netrc',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  'key.pem',
  'git-credentials-1.config',
  '.git-credentials',
  '.envrc',
  '.pypirc',
  '.pgpass',
  '.gnupg',
  '.bash_history',
]
const WRITE_NAMES = [
  ...[
    '.git',
    '.github',
    '.kode',
    '.claude',
    '.husky',
    '.vscode',
    '.mcp.json',
    '.npmrc',
    '.gitmodules',
    '.gitattributes',
    ...['.devcontainer', '.cursor', '.cursorrules', '.codex', '.gemini', '.circleci', '.gitlab-ci.yml', '.yarnrc.yml'],
    ...['.pre-commit-config.yaml', '.gitconfig', '.envrc'],
  ],
  ...['.bashrc', '.bash_profile', '.profile', '.zshrc', '.zshenv', '.ssh', '.aws', '.netrc'],
]

/** The protection that the absolute glob of a shell word reaches by name: `.e*`, `.git/*`, `*.pem`. Best effort. */
export function protectionOfGlob(glob: string, access: 'read' | 'write'): Protection | undefined {
  const parts = foldText(glob)
    .split('/')
    .filter((part, index) => index === 0 || (part !== '' && part !== '.'))
  const behind = protectionBehind(parts, access)
  if (behind !== undefined) return behind
  const names = access === 'read' ? READ_NAMES : WRITE_NAMES
  for (const [index, part] of parts.entries()) {
    if (!isWild(part)) continue
    if (part.includes('**')) {
      if (access === 'write') return { name: '.git', why: 'git runs what stands there' }
      continue
    }
    if (index === 1 && mayNamesMeet(part, 'proc')) return KERNEL
    const isAny = /^[*?]*$/.test(part)
    if (mayBeGit(parts[index - 1]) && mayNamesMeet(part, 'config*')) return GIT_CONFIG
    if (mayBeGit(part) && parts[index + 1] === 'config') return GIT_CONFIG
    const found = isAny ? undefined : names.find((name) => isMeant(part, name))
    if (found !== undefined) return { name: found, why: access === 'read' ? 'it may hold secrets' : SETTINGS }
    if (access === 'read' && mayBeSecret(part)) return { name: part, why: 'it may hold secrets' }
  }
  return undefined
}

const GIT_CONFIG: Protection = { name: '.git/config', why: 'it steers git and may hold a token' }

function mayBeGit(part: string | undefined): boolean {
  return part === '.git' || (part !== undefined && isWild(part) && !part.includes('**') && mayNamesMeet(part, '.git'))
}

/** `.env.pr*` and `s*.pem`; a name that ends in a wildcard may be any file. */
function mayBeSecret(part: string): boolean {
  if (/^\.env\.(?:exa|sam|tem)|(?:example|sample|template)$/.test(part)) return false
  const isOpen = /[*?\]]$/.test(part)
  return mayNamesMeet(part, '.env.*') || (!isOpen && mayNamesMeet(part, '*.pem') && !/^\*[^.]*$/.test(part))
}

/** The protection that names spelt behind a wildcard fall under, wherever that leads: `*`+`/.env`, `/roo?/.ssh/x`. */
function protectionBehind(parts: readonly string[], access: 'read' | 'write'): Protection | undefined {
  const first = parts.findIndex(isWild)
  if (first < 0) return undefined
  const runs = parts
    .slice(first)
    .map((part) => (isWild(part) ? `\n${endOf(part)}` : `/${part}`))
    .join('')
    .split('\n')
  const entries = [...(access === 'read' ? READ : WRITE), ...CREDENTIAL_PLACES]
  const found = entries.find(({ pattern }) => runs.some((run) => run !== '' && pattern.test(run)))
  if (found !== undefined) return found
  const isHome = access === 'read' && parts[first]?.includes('**') && runs.at(-1) === '/.npmrc'
  return isHome ? { name: '~/.npmrc', why: CREDENTIALS } : undefined
}

/** What a name ends with behind anything at all, which may end in a slash: `.pem` and `/.pem` of `**.pem`. */
function endOf(part: string): string {
  const end = part.slice(Math.max(part.lastIndexOf('*'), part.lastIndexOf('?'), part.lastIndexOf(']')) + 1)
  return part.includes('**') && end !== '' ? `${end}\n/${end}` : ''
}

function isWild(part: string): boolean {
  return /[*?[]/.test(part)
}

/** A name that only ends in a wildcard may be any file, so an ending must be spelt where the beginning is open. */
function isMeant(part: string, name: string): boolean {
  const isOpen = /[*?\]]$/.test(part)
  return mayNamesMeet(part, name) && !(isOpen && name.endsWith('.pem'))
}

/** True for `/proc`, `/sys` and `/dev`, which in-process tools never open, whatever the rules say. */
export function isKernelPath(path: string): boolean {
  return KERNEL.pattern.test(path) && !/^\/dev\/shm(?:\/|$)/.test(path)
}

/** True for devices that a command line may name without a rule. */
export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path)
}

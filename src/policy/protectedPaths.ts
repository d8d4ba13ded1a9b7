import { foldText } from './foldText.ts'
import { mayNamesMeet } from './matchers/mayMeet.ts'
import { type Protection, protectedPlaces } from './protectedPlaces.ts'

const { write: WRITE, read: READ, credentials: CREDENTIAL_PLACES } = protectedPlaces
const CREDENTIALS = 'it holds credentials'
const SETTINGS = 'it steers agents and editors'

const KERNEL: Protection = { name: '/proc, /sys and /dev', why: 'it shows the machine, not the project' }
const KERNEL_PATH = /^\/(?:proc|sys|dev)(?:\/|$)/
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd\/\d+)$/

/** Anything a protection could be about has one of these. */
const SUSPICIOUS =
  /\/(?:[._]|mise\.|rust-toolchain|jenkinsfile|azure-pip|bitbucket-pip)|\.(?:pem|p12|pfx|keystore|jks|key|ppk|kdbx)$|\/(?:credentials|service)|\/git-credentials|\/id_|^\/(?:proc|sys|dev)(?:\/|$)|^\/(?:var\/)?run\/|^\/etc\/g?shadow/

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
    ...[
      '.gitlab-ci.yml',
      '.gitea/workflows',
      '.yarnrc.yml',
      '.pre-commit-config.yaml',
      '.cargo/config.toml',
      'rust-toolchain.toml',
      'mise.toml',
      'other CI files',
      '.buildkite',
      '.idea',
      '.mvn',
    ],
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
  return KERNEL_PATH.test(path) && !/^\/dev\/shm(?:\/|$)/.test(path)
}

/** True for devices that a command line may name without a rule. */
export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path)
}

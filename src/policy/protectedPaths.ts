import { foldText } from './foldText.ts'
import { type Protection, protectedPlaces } from './protectedPlaces.ts'

const { write: WRITE, read: READ, credentials: CREDENTIAL_PLACES } = protectedPlaces
const CREDENTIALS = 'it holds credentials'

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

/** True for `/proc`, `/sys` and `/dev`, which in-process tools never open, whatever the rules say. */
export function isKernelPath(path: string): boolean {
  return KERNEL_PATH.test(path) && !/^\/dev\/shm(?:\/|$)/.test(path)
}

/** True for devices that a command line may name without a rule. */
export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path)
}

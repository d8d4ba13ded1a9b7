import type { EnvSettings } from '../../contracts/settings.ts'
import { secretsFromEnvironment } from '../../lib/secrets/secretsFromEnvironment.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'
import { childPath } from './childPath.ts'
import type { CommitIdentity } from './commitIdentity.ts'

type Variables = Readonly<Record<string, string | undefined>>

export type ChildEnvironmentOptions = {
  readonly settings: EnvSettings
  /** Absolute and resolved: no program inside it is found by name alone. */
  readonly workspace: string
  /** Values of known secrets: only `env.secrets` passes one. */
  readonly secrets: readonly string[]
  /** Credentials of the run itself: nothing passes one. */
  readonly credentials: readonly string[]
  /** The committer, if git does not know one. */
  readonly identity?: CommitIdentity | undefined
}

export type ChildEnvironment = ReturnType<typeof childEnvironment>

const PASSED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TMPDIR|TZ|CI|TRACEPARENT|TRACESTATE|RUNNER_(?:OS|ARCH|TEMP|TOOL_CACHE|TRACKING_ID)|GITHUB_(?:ACTIONS|REPOSITORY|SHA|REF\w*|RUN_ID)|NODE_ENV|JAVA_HOME|GOPATH|GOROOT|VIRTUAL_ENV|PYTHONPATH|CARGO_HOME|RUSTUP_HOME|PYENV_ROOT|RBENV_ROOT|NVM_DIR|VOLTA_HOME|DOTNET_ROOT|(?:MAVEN|M2|GRADLE|ANDROID)_HOME|GO(?:PROXY|PRIVATE|NOSUMDB|SUMDB)|PIP_\w+|npm_config_(?:registry|cafile|ca|strict_ssl))$/

/** Where programs find the certificates of a company. Commands can read what they name. */
export const CERTIFICATE_VARIABLES: readonly string[] = [
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['GIT_SSL_CAINFO', 'PIP_CERT', 'npm_config_cafile'],
]

/** Every shell sets its own. */
const UNMISSED = /^(?:_|PWD|OLDPWD|SHLVL|COLUMNS|LINES)$/

/** Files through which a step sends commands to the runner, and the sockets and tokens of its services. */
const NEVER = /^(?:GITHUB_(?:ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)|ACTIONS_\w+)$/

/** Nobody is there to answer, to use a pager, or to write a message in an editor. */
const UNATTENDED = {
  CI: '1',
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
} as const

/**
 * Settings through which a repository could name a program for git to run. The environment overrides the repository's
 * file. Merges do not follow renames. Otherwise a change to one file could end up in another, which no rule allows to
 * edit. Before git 2.50, only the strategy `recursive` can do without; since then it is an alias of `ort`.
 */
const GIT_SETTINGS = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['merge.renames', 'false'],
  ['merge.directoryRenames', 'false'],
  ['pull.twohead', 'recursive'],
  ['merge.autoStash', 'false'],
  ['rebase.autoStash', 'false'],
] as const

/**
 * The environment of every child: an allow-list, what the policy names, and settings for unattended machines. Values
 * that are or look like secrets stay out unless `env.secrets` names them. Variables that load code into programs
 * (`NODE_OPTIONS`, `LD_PRELOAD`, `GIT_*` …) stay out unless `env.pass` or `env.set` names them.
 */
export function childEnvironment(parent: Variables, options: ChildEnvironmentOptions) {
  const { settings, workspace, identity } = options
  const named = new Set([...settings.pass, ...settings.secrets])
  const isNamed = namesVariable(settings.pass)
  const isPassed = (name: string) =>
    PASSED.test(name) || CERTIFICATE_VARIABLES.includes(name) || named.has(name) || isNamed(name)
  const inherited = Object.entries(parent).filter(([name]) => isPassed(name))
  const wanted = { ...Object.fromEntries(inherited), ...settings.set }
  const warnings: string[] = []
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined) continue
    const objection = objectionTo(name, value, options)
    if (objection === undefined) kept[name] = value
    else if (named.has(name) || name in settings.set)
      warnings.push(`${name} is not passed to child processes: ${objection}`)
  }
  const path = childPath(kept['PATH'], workspace)
  const environment = {
    ...UNATTENDED,
    ...(identity && { GIT_AUTHOR_NAME: identity.name, GIT_AUTHOR_EMAIL: identity.email }),
    ...(identity && { GIT_COMMITTER_NAME: identity.name, GIT_COMMITTER_EMAIL: identity.email }),
    ...withGitSettings(kept, workspace),
    PATH: path,
  }
  const dropped = Object.keys(parent).filter((name) => !(name in environment) && !UNMISSED.test(name))
  return {
    environment: environment as Readonly<Record<string, string>>,
    /** A sentence for each requested variable that was not passed. */
    warnings,
    /** Names of variables that were not passed, without those that every shell sets itself. */
    dropped: dropped.sort(),
  }
}

/** Why children do not get this value, whoever sets it; undefined if they may. */
export function objectionTo(
  name: string,
  value: string,
  options: Pick<ChildEnvironmentOptions, 'settings' | 'secrets' | 'credentials'>,
): string | undefined {
  if (NEVER.test(name)) return 'it belongs to the runner, and no policy can pass it'
  if (holdsAny(value, options.credentials)) return 'it holds a credential of the run itself'
  if (options.settings.secrets.includes(name)) return undefined
  if (holdsAny(value, options.secrets)) return 'it holds a known secret; name it in env.secrets to pass it'
  if (secretsFromEnvironment({ [name]: value }, []).length > 0) {
    return 'it looks like a secret; name it in env.secrets to pass it'
  }
  return undefined
}

/** True if a value is one of these secrets, or contains one that is long enough to be no accident. */
export function holdsAny(value: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => value.trim() === secret || (secret.length >= 8 && value.includes(secret)))
}

/** Our settings come last and win. Those that `env.set` adds in the same way stay before them. */
function withGitSettings(variables: Readonly<Record<string, string>>, workspace: string): Record<string, string> {
  const first = /^\d{1,3}$/.test(variables['GIT_CONFIG_COUNT'] ?? '') ? Number(variables['GIT_CONFIG_COUNT']) : 0
  // A mounted checkout often belongs to another user: volumes of a cluster, `docker run -v`.
  const settings = [...GIT_SETTINGS, ['safe.directory', workspace] as const]
  const ours = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ])
  const count = String(first + settings.length)
  return { ...variables, ...Object.fromEntries(ours), GIT_CONFIG_COUNT: count }
}

/** Whether a list of names, as in `env.pass`, includes a variable; `*` stands for any characters. */
export function namesVariable(names: readonly string[]): (name: string) => boolean {
  return (name) => names.some((glob) => matchesGlob(glob, name))
}

import type { Platform } from './findPlatform.ts'
import type { findRegistries } from './findRegistries.ts'
import type { InitJob } from './initJobs.ts'
import type { programSource } from './programSource.ts'
import type { Stack } from './Stack.ts'

/** What `init` found, and the job to set up. */
export type InitPlan = {
  readonly job: InitJob
  /** Path of the policy, from the root. */
  readonly file: string
  readonly stacks: readonly Stack[]
  readonly tests: string
  /** Files that its checks read, such as `package.json`. */
  readonly checked: readonly string[]
  readonly registries: Awaited<ReturnType<typeof findRegistries>>
  readonly platform: Platform
  readonly program: ReturnType<typeof programSource>
}

export function initPolicy(plan: InitPlan): string {
  const { job, file } = plan
  return textOf([
    `# ${summaryOf(plan)}`,
    '# What is not allowed here is denied; nobody is asked.',
    `# Check it: kode-run policy check ${file}`,
    `# Ask it:   kode-run policy explain --policy ${file} 'Edit(.github/workflows/ci.yml)'`,
    'version: 1',
    'permissions:',
    '  presets: [read-only]           # read everything in the project; see: kode-run policy presets',
    allowLines(plan),
    sandboxLines(plan),
    environmentLines(plan),
    outputLines(plan),
    checkLines(plan),
    'run:',
    Object.entries(job.limits).map(([key, value]) => `  ${key}: ${value}`),
    testLines(plan),
  ])
}

/** Only on GitHub, a comment or an issue starts a job. */
export function summaryOf({ job, platform }: InitPlan): string {
  const isGiven = platform !== 'github' && job.rule === undefined
  return isGiven ? 'Does what the pipeline variable KODE_TASK asks for.' : job.summary
}

/** What a change of the project must not steer besides the protected places: releases, ownership and agents. */
const DENIED = [
  ...['.github/**', 'CODEOWNERS', '{CLAUDE,AGENTS,GEMINI}*.md', '{.releaserc,.release-,.goreleaser,release.config}*'],
  ...['release-please-config.json', 'scripts/{release,publish,deploy}*'],
]

function allowLines({ job, checked }: InitPlan): Lines {
  const item = (rule: string) => `    - ${JSON.stringify(rule)}`
  const isNamed = job.mayEdit && checked.length > 0
  return [
    (job.mayRun || job.mayEdit || job.allow.length > 0) && '  allow:',
    job.mayRun && '    - Bash                       # every command may start, inside the sandbox',
    job.mayEdit && '    - Edit(./**)                 # edits, commands and commits may change the project',
    isNamed && '    # Named, so that the checks may be green after a change of what they read:',
    isNamed && checked.map((path) => item(`Edit(./${path})`)),
    job.allow.map(item),
    !job.mayEdit && '  # deny: ["Read(secrets/**)"]   # a deny always wins; the agent never sees .env files and keys',
    job.mayEdit && [
      "  # Secrets, CI, git's configuration and agent settings are closed anyway: each needs a rule that names it exactly.",
      '  deny:                          # a deny always wins; here: what steers releases, reviews and agents',
      DENIED.map((pattern) => item(`Edit(${pattern})`)),
    ],
  ]
}

/** Jobs often run in containers there, which usually forbid the namespaces that bubblewrap needs. */
const IN_CONTAINERS: readonly Platform[] = ['gitlab', 'bitbucket', 'jenkins']

/** Commands reach the registries and nothing else; without known registries, nothing. */
function sandboxLines({ job, platform, registries: { hosts, settings, unknown } }: InitPlan): Lines {
  if (!job.mayRun) return []
  const hasHosts = hosts.length > 0
  const allowlist = '  network: allowlist             # commands reach where packages come from, and nothing else'
  return [
    'sandbox:',
    '  mode: required                 # no run without it: it confines commands',
    IN_CONTAINERS.includes(platform) &&
      '  wall: landlock                 # what most containers allow; leave it out where bubblewrap starts',
    hasHosts && allowlist,
    unknown.map((name) => `  # No registry of ${name} is known here: without its hosts, ${name} can install nothing.`),
    hasHosts && `  allow: ${JSON.stringify(hosts)}`,
    hasHosts &&
      settings.length > 0 &&
      `  readable: ${JSON.stringify(settings)}   # tools need these to find the registries`,
    !hasHosts && [
      '  network: none                  # or: allowlist, and the hosts that commands may reach',
      '  # allow: [packages.example.com]',
    ],
  ]
}

function environmentLines({ job, stacks }: InitPlan): Lines {
  const set = Object.assign({}, ...stacks.map(({ environment }) => environment)) as Record<string, string>
  return [job.mayRun && Object.keys(set).length > 0 && `env: { set: ${JSON.stringify(set)} }`]
}

function outputLines({ job, platform }: InitPlan): Lines {
  const kinds = Object.entries(job.outputs)
  if (platform !== 'github' || kinds.length === 0) return []
  return [
    'outputs:                         # what it may propose; the job `apply` applies it',
    kinds.map(([kind, settings]) => `  ${kind}: ${settings}`),
  ]
}

/** Of several stacks at the root the first is tested, of folders all. */
export function checksOf(stacks: readonly Stack[]): readonly string[] {
  const tests = stacks.flatMap(({ test }) => test ?? [])
  return stacks.some(({ name }) => name.includes(' in ')) ? tests : tests.slice(0, 1)
}

function checkLines({ job, stacks, tests: folder }: InitPlan): Lines {
  if (!job.mayEdit) return []
  const tests = checksOf(stacks)
  const linters = stacks.flatMap((stack) => stack.linters ?? [])
  if (tests.length === 0)
    return ['# checks:', '#   commands: ["make test"]      # the run is green only if these succeed']
  return [
    'checks:',
    '  commands:                      # the run is green only if these succeed',
    tests.map((command) => `    - ${JSON.stringify(command)}`),
    linters.map((command) => `    # - ${JSON.stringify(command)}`),
    '  attempts: 2                    # a failing check goes back to the agent once',
    `${`  # protect: ["${folder}/**"]`.padEnd(32)} # not green if the run changed these`,
  ]
}

function testLines({ job, file }: InitPlan): Lines {
  return [
    `tests:                           # kode-run policy test ${file}`,
    '  - { call: "Read(README.md)", expect: allow }',
    `  - { call: "Bash(ls && touch x)", expect: ${job.mayRun ? 'allow' : 'deny'} }`,
    `  - { call: "Edit(src/new)", expect: ${job.mayEdit ? 'allow' : 'deny'} }`,
    '  - { call: "Edit(.github/workflows/ci.yml)", expect: deny }',
    '  - { call: "Read(.env)", expect: deny }',
  ]
}

/** Lines of a file to write; those that do not apply are false. */
export type Lines = readonly (string | false | Lines)[]

export function textOf(lines: Lines): string {
  const shown = lines.filter((line) => line !== false)
  return shown.map((line) => (typeof line === 'string' ? `${line}\n` : textOf(line))).join('')
}

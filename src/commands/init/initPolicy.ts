import type { Platform } from './findPlatform.ts'
import type { Registries } from './findRegistries.ts'
import { usualTestFolder } from './findSources.ts'
import type { InitJob } from './initJobs.ts'
import type { Stack } from './Stack.ts'

/** What `init` found, and the job to set up. */
export type InitPlan = {
  readonly job: InitJob
  /** Path of the policy, from the root. */
  readonly file: string
  readonly stacks: readonly Stack[]
  /** Edit rules. */
  readonly sources: readonly string[]
  readonly registries: Registries
  readonly platform: Platform
}

/** The text of a commented policy: what the job needs, and what is always protected. */
export function initPolicy(plan: InitPlan): string {
  const { job, file, platform } = plan
  return [
    `# ${(platform === 'github' ? undefined : job.gitLabSummary) ?? job.summary}`,
    '# What is not allowed here is denied; nobody is asked.',
    `# Check it: kode-run policy check ${file}`,
    `# Ask it:   kode-run policy explain --policy ${file} 'Edit(.github/workflows/ci.yml)'`,
    'version: 1',
    'permissions:',
    '  presets: [read-only]           # read everything in the project; see: kode-run policy presets',
    ...allowLines(plan),
    '  # deny: ["Read(secrets/**)"]   # a deny always wins; the agent never sees .env files and keys',
    ...sandboxLines(plan),
    ...environmentLines(plan),
    ...outputLines(plan),
    ...checkLines(plan),
    'run:',
    ...Object.entries(job.limits).map(([key, value]) => `  ${key}: ${value}`),
    ...testLines(plan),
    '',
  ].join('\n')
}

function allowLines({ job, sources }: InitPlan): readonly string[] {
  const rules = job.mayEdit ? sources : []
  if (!job.mayRun && rules.length + job.allow.length === 0) return []
  return [
    '  allow:',
    ...(job.mayRun ? ['    - Bash                       # every command may start, inside the sandbox'] : []),
    ...job.allow.map((rule) => `    - ${JSON.stringify(rule)}`),
    ...(rules.length > 0
      ? ['    # What may be changed, by edits, commands and commits alike. Remove what the job does not need.']
      : []),
    ...rules.map((rule) => `    - ${JSON.stringify(rule)}`),
    ...(job.mayEdit
      ? ["    # CI workflows, git's configuration and agent settings need a rule that names them exactly."]
      : []),
  ]
}

/** Commands reach the registries and nothing else; without known registries, nothing. */
function sandboxLines({ job, registries: { hosts, settings } }: InitPlan): readonly string[] {
  if (!job.mayRun) return []
  const mode = '  mode: required                 # no run without it: it confines commands'
  if (hosts.length === 0) {
    return [
      'sandbox:',
      mode,
      '  network: none                  # or: allowlist, and the hosts that commands may reach',
      '  # allow: [packages.example.com]',
    ]
  }
  return [
    'sandbox:',
    mode,
    '  network: allowlist             # commands reach where packages come from, and nothing else',
    `  allow: ${JSON.stringify(hosts)}`,
    ...(settings.length === 0
      ? []
      : [`  readable: ${JSON.stringify(settings)}   # tools need these to find the registries`]),
  ]
}

function environmentLines({ job, stacks }: InitPlan): readonly string[] {
  const set = Object.assign({}, ...stacks.map(({ environment }) => environment)) as Record<string, string>
  return !job.mayRun || Object.keys(set).length === 0 ? [] : [`env: { set: ${JSON.stringify(set)} }`]
}

function outputLines({ job, platform }: InitPlan): readonly string[] {
  const kinds = Object.entries(job.outputs)
  if (platform !== 'github' || kinds.length === 0) return []
  return [
    'outputs:                         # what it may propose; the job `apply` applies it',
    ...kinds.map(([kind, settings]) => `  ${kind}: ${settings}`),
  ]
}

function checkLines({ job, stacks, sources }: InitPlan): readonly string[] {
  if (!job.mayEdit) return []
  const tests = stacks.flatMap(({ test }) => test ?? [])
  const linters = stacks.flatMap((stack) => stack.linters)
  if (tests.length === 0)
    return ['# checks:', '#   commands: ["make test"]      # the run is green only if these succeed']
  const needed = stacks.length > 1 && stacks.some(({ name }) => name.includes(' in ')) ? tests : tests.slice(0, 1)
  return [
    'checks:',
    '  commands:                      # the run is green only if these succeed',
    ...needed.map((command) => `    - ${JSON.stringify(command)}`),
    ...linters.map((command) => `    # - ${JSON.stringify(command)}`),
    '  attempts: 2                    # a failing check goes back to the agent once',
    `${`  # protect: ["${usualTestFolder(sources)}/**"]`.padEnd(32)} # not green if the run changed these`,
  ]
}

function testLines({ job, file, sources }: InitPlan): readonly string[] {
  const [first = ''] = job.mayEdit ? sources : []
  const edit = /^Edit\((.*)\/\*\*\)$/.exec(first)?.[1]
  return [
    `tests:                           # kode-run policy test ${file}`,
    '  - { call: "Read(README.md)", expect: allow }',
    `  - { call: "Bash(ls && touch x)", expect: ${job.mayRun ? 'allow' : 'deny'} }`,
    ...(edit === undefined || /[\\*?[\]]/.test(edit)
      ? []
      : [`  - { call: ${JSON.stringify(`Edit(${edit}/new)`)}, expect: allow }`]),
    '  - { call: "Edit(.github/workflows/ci.yml)", expect: deny }',
    '  - { call: "Read(.env)", expect: deny }',
  ]
}

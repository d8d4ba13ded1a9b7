import path from 'node:path'
import {
  DURATIONS,
  type HookEventName,
  type HookGroup,
  type HookTable,
  type OutputSettings,
  type PolicySettings,
  type PolicyTest,
  type RunSettings,
  type SandboxSettings,
} from '../../contracts/settings.ts'
import { parseDuration } from '../../lib/text/duration.ts'
import type { PolicyInput } from './policySchema.ts'
import type { PolicySource } from './readPolicyFiles.ts'

export type Folders = { readonly cwd: string; readonly home: string; readonly directories: readonly string[] }

/**
 * Merges the settings of all files, the extending one first. Lists are concatenated. A limit takes the smallest value,
 * a safeguard the strictest. For everything else, the extending file wins.
 */
export function mergeSettings(sources: readonly PolicySource[], folders: Folders): PolicySettings {
  const inputs = sources.flatMap(({ input }) => input ?? [])
  const first = <Value>(pick: (input: PolicyInput) => Value | undefined): Value | undefined =>
    inputs.map(pick).find((value) => value !== undefined)
  const joined = (pick: (input: PolicyInput) => readonly string[] | undefined): readonly string[] => [
    ...new Set(inputs.flatMap((input) => pick(input) ?? [])),
  ]
  const resolve = (folder: string): string => resolveFolder(folder, folders)
  const directories = [...joined((input) => input.permissions?.additionalDirectories), ...folders.directories]
  const memory = first((input) => input.memory)
  // `warning` fails for more findings than `error`.
  const findings = (['warning', 'error'] as const).find((level) =>
    inputs.some(({ checks }) => checks?.findings === level),
  )
  return {
    defaultMode: first((input) => input.permissions?.defaultMode) ?? 'default',
    additionalDirectories: [...new Set(directories.map(resolve))],
    hooks: mergeHooks(inputs),
    mcpServers: byName(inputs.map((input) => input.mcpServers)),
    run: mergeRun(inputs.map((input) => input.run ?? {})),
    checks: {
      attempts: smallest(inputs.map((input) => input.checks?.attempts)) ?? 2,
      commands: joined((input) => input.checks?.commands),
      prepare: joined((input) => input.checks?.prepare),
      leftovers: inputs.some((input) => input.checks?.leftovers === 'fail') ? 'fail' : 'report',
      protect: joined((input) => input.checks?.protect),
      ...(findings && { findings }),
    },
    env: {
      pass: joined((input) => input.env?.pass),
      set: byName(inputs.map((input) => input.env?.set)),
      secrets: joined((input) => input.env?.secrets),
    },
    sandbox: mergeSandbox(inputs, resolve),
    redact: { env: joined((input) => input.redact?.env), patterns: joined((input) => input.redact?.patterns) },
    agents: byName(inputs.map((input) => input.agents)),
    outputs: mergeOutputs(inputs),
    pricing: byName(inputs.map((input) => input.pricing)),
    ...(memory === undefined ? {} : { memory: resolve(memory) }),
    projectMcp: isOn(inputs.map((input) => input.projectMcp)),
    projectHooks: isOn(inputs.map((input) => input.projectHooks)),
    plugins: inputs.flatMap(({ plugins = [] }) => plugins.map((each) => ({ ...each, path: resolve(each.path) }))),
    tests: sources.flatMap(readTests),
  }
}

/** Absolute; `~/` is the home folder, everything else starts at the project root. */
export function resolveFolder(folder: string, { cwd, home }: Pick<Folders, 'cwd' | 'home'>): string {
  return folder === '~' || folder.startsWith('~/') ? path.join(home, folder.slice(1)) : path.resolve(cwd, folder)
}

/** Entries by name; the extending file replaces an entry of the same name. */
function byName<Value>(
  maps: readonly (Readonly<Record<string, Value>> | undefined)[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(maps.toReversed().flatMap((map) => Object.entries(map ?? {})))
}

export function smallest(values: readonly (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined)
  return given.length === 0 ? undefined : Math.min(...given)
}

function isOn(values: readonly (boolean | undefined)[]): boolean {
  return values.includes(true) && !values.includes(false)
}

function mergeHooks(inputs: readonly PolicyInput[]): HookTable {
  const table: { [Event in HookEventName]?: readonly HookGroup[] } = {}
  for (const [name, groups] of inputs.flatMap(({ hooks = {} }) => Object.entries(hooks))) {
    const event = name as HookEventName
    table[event] = [...(table[event] ?? []), ...groups]
  }
  return table
}

const MODES = ['required', 'auto', 'off'] as const
const NETWORKS = ['none', 'allowlist', 'open'] as const

function mergeSandbox(inputs: readonly PolicyInput[], resolve: (folder: string) => string): SandboxSettings {
  const given = inputs.flatMap(({ sandbox }) => sandbox ?? [])
  const network = NETWORKS.find((name) => given.some((sandbox) => sandbox.network === name))
  return {
    mode: MODES.find((name) => given.some((sandbox) => sandbox.mode === name)) ?? 'auto',
    ...(isLandlockEnough(given) && { wall: 'landlock' }),
    ...(network === undefined ? {} : { network }),
    allow: [...new Set(given.flatMap(({ allow }) => allow ?? []))],
    writable: [...new Set(given.flatMap(({ writable }) => writable ?? []).map(resolve))],
    readable: [...new Set(given.flatMap(({ readable }) => readable ?? []).map(resolve))],
  }
}

/** Every policy that requires a sandbox must say so, and none may say otherwise. */
function isLandlockEnough(given: readonly NonNullable<PolicyInput['sandbox']>[]): boolean {
  const needed = given.filter(({ mode, wall }) => mode === 'required' || wall !== undefined)
  return needed.length > 0 && needed.every(({ wall }) => wall === 'landlock')
}

function mergeOutputs(inputs: readonly PolicyInput[]): OutputSettings {
  const merged: Record<string, OutputSettings[string]> = { ...byName(inputs.map((input) => input.outputs)) }
  for (const [kind, settings] of Object.entries(merged)) {
    const all = inputs.map(({ outputs }) => outputs?.[kind as keyof typeof outputs]?.max)
    merged[kind] = { ...settings, max: smallest(all) ?? settings.max }
  }
  return merged
}

function readTests({ input, yaml, label: file }: PolicySource): readonly PolicyTest[] {
  return (input?.tests ?? []).map((test, index) => ({ ...test, file, line: yaml.positionOf(['tests', index]).line }))
}

const LIMITS = [
  'maxTurns',
  'maxBudgetUsd',
  'maxToolCalls',
  'maxDenials',
  'maxTokensTotal',
  'maxTokens',
  'contextWindow',
  'maxResultCharacters',
] as const

/** Merges `run:` of all files, the extending one first. Strict switches stay on once a file turns them on. */
export function mergeRun(runs: readonly NonNullable<PolicyInput['run']>[]): RunSettings {
  const merged: Record<string, unknown> = {}
  for (const run of runs.toReversed()) {
    for (const [key, value] of Object.entries(run)) {
      if (!(key in DURATIONS)) merged[key] = key === 'fallbackModel' ? [value].flat() : value
    }
  }
  const limit = (name: string, values: readonly (number | undefined)[]): void => {
    const value = smallest(values)
    if (value !== undefined) merged[name] = value
  }
  const valuesOf = (key: (typeof LIMITS)[number]) => runs.map((run) => run[key])
  for (const key of LIMITS) limit(key, valuesOf(key))
  for (const [key, name] of Object.entries(DURATIONS)) {
    const texts = runs.flatMap((run) => run[key as keyof typeof DURATIONS] ?? [])
    limit(name, texts.map(parseDuration))
  }
  for (const key of ['requireFinish', 'failOnDenied'] as const) if (runs.some((run) => run[key])) merged[key] = true
  for (const key of ['params', 'answers', 'modelIds'] as const) {
    const maps = runs.map((run) => run[key])
    if (maps.some((map) => map !== undefined)) merged[key] = byName<string>(maps)
  }
  const ledgers = runs.flatMap((run) => run.ledger ?? [])
  if (ledgers.length > 0) {
    const folders = [...new Set(ledgers.flatMap(({ folder }) => folder ?? []))]
    merged['ledger'] = { folders, limits: ledgers.flatMap(({ limits }) => limits ?? []) }
  }
  return merged satisfies RunSettings
}

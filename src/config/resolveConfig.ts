import { isAbsolute, resolve } from 'node:path'
import type { PermissionMode } from '../contracts/decision.ts'
import { RunError } from '../contracts/errors.ts'
import type { RunSettings } from '../contracts/settings.ts'
import { type Flag, RUN_FLAGS, type RunFlagName } from './flags.ts'
import type { FlagValue, FlagValues } from './parseArguments.ts'
import { readFlag } from './readFlag.ts'

/** Everything a run is told from outside, in one frozen object. Paths are absolute, times are milliseconds. */
export type Config = {
  readonly cwd: string
  readonly model: string
  readonly smallModel: string
  readonly expertModel: string
  readonly fallbackModels: readonly string[]
  readonly limits: Limits
  /** Undefined: what the policy says. */
  readonly permissionMode: PermissionMode | undefined
  readonly addDirs: readonly string[]
  readonly outputFormat: 'text' | 'json' | 'stream-json'
  readonly lastMessageFile: string | undefined
  /** As given: a file's path or JSON text. */
  readonly jsonSchema: string | undefined
  readonly transcript: string | undefined
  readonly summaryFile: string | undefined
  readonly mcpConfigs: readonly string[]
  readonly strictMcpConfig: boolean
  readonly tools: readonly string[] | undefined
  readonly bare: boolean
  readonly systemPrompt: TextSource | undefined
  readonly appendSystemPrompt: TextSource | undefined
  /** As given: a file's path or JSON text. */
  readonly agents: string | undefined
  readonly record: string | undefined
  readonly replay: string | undefined
  readonly replayMatch: 'strict' | 'loose'
  readonly requireFinish: boolean
  readonly failOnDenied: boolean
  /** Probe, and ask the model nothing. */
  readonly dryRun: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly baseUrl: string | undefined
  readonly allowInsecureBaseUrl: boolean
  readonly maxRetryWaitMs: number
  /** The transcript of a run to go on with. */
  readonly resume: string | undefined
  readonly applyPatch: boolean
  readonly repair: boolean
  readonly acceptPolicyChange: boolean
  readonly lock: { readonly name: string; readonly staleMs: number | undefined } | undefined
  readonly maxOutputTokens: number
  readonly contextWindow: number
  /** Where the API key is; neither: in the environment. */
  readonly apiKeyFile: string | undefined
  readonly apiKeyDescriptor: number | undefined
  readonly bashTimeoutMs: number
  readonly bashMaxTimeoutMs: number
}

/** Every limit of a run; all finite but `tokens`, which is set when money cannot be counted. */
export type Limits = {
  readonly turns: number
  readonly budgetUsd: number
  /** True where somebody named an amount of money: an unpriced model is then an error. */
  readonly isBudgetExplicit: boolean
  readonly tokens: number | undefined
  readonly toolCalls: number
  readonly denials: number
  readonly timeoutMs: number
}

export type TextSource = { readonly text: string } | { readonly file: string }

/**
 * The configuration of a run: flag > environment > policy `run:` > default. A malformed environment value is a `usage`
 * error that names the variable.
 */
export function resolveConfig(flags: FlagValues, environment: Environment, policy: RunSettings, cwd: string): Config {
  const value = <T extends FlagValue>(name: RunFlagName): T | undefined =>
    (flags[name] ?? fromEnvironment(name, environment)) as T | undefined
  const path = (name: RunFlagName): string | undefined => absolute(value<string>(name), cwd)
  const budget = value<number>('max-budget-usd') ?? policy.maxBudgetUsd
  if (value('api-key-fd') !== undefined && value('api-key-file') !== undefined)
    throw new RunError('usage', '--api-key-fd and --api-key-file exclude each other.')
  return Object.freeze({
    cwd,
    model: value<string>('model') ?? policy.model ?? RUN_FLAGS.model.fallback,
    smallModel: policy.smallModel ?? 'claude-haiku-5-5',
    expertModel: policy.expertModel ?? 'claude-opus-5-5',
    fallbackModels: value<string[]>('fallback-model') ?? policy.fallbackModel ?? [],
    limits: {
      turns: atLeastOne('max-turns', value<number>('max-turns') ?? policy.maxTurns ?? 50),
      budgetUsd: budget ?? 5,
      isBudgetExplicit: budget !== undefined,
      tokens: value<number>('max-tokens-total') ?? policy.maxTokensTotal,
      toolCalls: value<number>('max-tool-calls') ?? policy.maxToolCalls ?? 500,
      denials: value<number>('max-denials') ?? policy.maxDenials ?? 20,
      timeoutMs: value<number>('timeout') ?? policy.timeoutMs ?? 30 * 60_000,
    },
    permissionMode: value<PermissionMode>('permission-mode'),
    addDirs: (value<string[]>('add-dir') ?? []).map((directory) => resolve(cwd, directory)),
    outputFormat: value<Config['outputFormat']>('output-format') ?? policy.outputFormat ?? 'text',
    lastMessageFile: path('output-last-message'),
    jsonSchema: value<string>('json-schema'),
    transcript: path('transcript'),
    summaryFile: path('summary'),
    mcpConfigs: (value<string[]>('mcp-config') ?? []).map((file) => resolve(cwd, file)),
    strictMcpConfig: value<boolean>('strict-mcp-config') ?? false,
    tools: value<string[]>('tools'),
    bare: value<boolean>('bare') ?? false,
    systemPrompt: textSource(value, 'system-prompt', cwd) ?? asText(policy.systemPrompt),
    appendSystemPrompt: textSource(value, 'append-system-prompt', cwd) ?? asText(policy.appendSystemPrompt),
    agents: value<string>('agents'),
    record: path('record'),
    replay: path('replay'),
    replayMatch: value<Config['replayMatch']>('replay-match') ?? 'strict',
    requireFinish: policy.requireFinish ?? false,
    failOnDenied: value<boolean>('fail-on-denied') ?? policy.failOnDenied ?? false,
    dryRun: value<boolean>('dry-run') ?? false,
    quiet: value<boolean>('quiet') ?? false,
    verbose: value<boolean>('verbose') ?? false,
    baseUrl: nonEmpty(environment['ANTHROPIC_BASE_URL']),
    allowInsecureBaseUrl: value<boolean>('allow-insecure-base-url') ?? false,
    maxRetryWaitMs: value<number>('max-retry-wait') ?? policy.maxRetryWaitMs ?? 120_000,
    ...resumeOf(value, path('resume')),
    lock: lockOf(value<string>('lock'), value<number>('lock-stale')),
    maxOutputTokens: policy.maxTokens ?? 32_000,
    contextWindow: policy.contextWindow ?? 200_000,
    apiKeyFile: path('api-key-file'),
    apiKeyDescriptor: value<number>('api-key-fd'),
    bashTimeoutMs: countVariable(environment, 'BASH_DEFAULT_TIMEOUT_MS') ?? policy.bashTimeoutMs ?? 120_000,
    bashMaxTimeoutMs: countVariable(environment, 'BASH_MAX_TIMEOUT_MS') ?? policy.bashMaxTimeoutMs ?? 600_000,
  })
}

type Value = <T extends FlagValue>(name: RunFlagName) => T | undefined

function resumeOf(value: Value, resume: string | undefined) {
  for (const name of ['apply-patch', 'repair', 'accept-policy-change'] as const) {
    if (value<boolean>(name) === true && resume === undefined) throw new RunError('usage', `--${name} needs --resume.`)
  }
  return {
    resume,
    applyPatch: value<boolean>('apply-patch') ?? false,
    repair: value<boolean>('repair') ?? false,
    acceptPolicyChange: value<boolean>('accept-policy-change') ?? false,
  }
}

function lockOf(name: string | undefined, staleMs: number | undefined): Config['lock'] {
  if (name === undefined) {
    if (staleMs !== undefined) throw new RunError('usage', '--lock-stale needs --lock.')
    return undefined
  }
  if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(name))
    throw new RunError(
      'usage',
      `--lock: ${JSON.stringify(name)} is not a name: letters, digits, "_", "-" and "." only.`,
    )
  return { name, staleMs }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The value of a flag's environment variable: those the flag names, then `KODE_RUN_MAX_TURNS` and the like. */
function fromEnvironment(name: RunFlagName, environment: Environment): FlagValue | undefined {
  const flag: Flag = RUN_FLAGS[name]
  const own = `KODE_RUN_${name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase()}`
  const variable = [own, ...(flag.environment ?? [])].find(
    (candidate) => nonEmpty(environment[candidate]) !== undefined,
  )
  if (variable === undefined) return undefined
  try {
    return readFlag(name, flag, flag.kind === 'switch' ? readSwitch(environment[variable]) : environment[variable])
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    throw new RunError('usage', error.message.replace(`--${name}`, `${variable} (--${name})`))
  }
}

function readSwitch(text: string | undefined): boolean | undefined {
  if (text === '1' || text === 'true') return true
  return text === '0' || text === 'false' ? false : undefined
}

function textSource(
  value: <T extends FlagValue>(name: RunFlagName) => T | undefined,
  name: 'system-prompt' | 'append-system-prompt',
  cwd: string,
): TextSource | undefined {
  const text = value<string>(name)
  const file = value<string>(`${name}-file`)
  if (text !== undefined && file !== undefined)
    throw new RunError('usage', `--${name} and --${name}-file exclude each other.`)
  return file === undefined ? asText(text) : { file: resolve(cwd, file) }
}

function asText(text: string | undefined): TextSource | undefined {
  return text === undefined ? undefined : { text }
}

function absolute(path: string | undefined, cwd: string): string | undefined {
  return path === undefined || isAbsolute(path) ? path : resolve(cwd, path)
}

function atLeastOne(name: string, count: number): number {
  if (count < 1) throw new RunError('usage', `--${name} must be at least 1.`)
  return count
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text
}

function countVariable(environment: Environment, name: string): number | undefined {
  const text = nonEmpty(environment[name])
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text))
    throw new RunError('usage', `${name}: ${JSON.stringify(text)} is not a number of milliseconds.`)
  return Number(text)
}

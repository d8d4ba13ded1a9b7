import { isAbsolute, resolve } from 'node:path'
import type { PermissionMode } from '../contracts/decision.ts'
import { RunError } from '../contracts/errors.ts'
import type { Effort, Thinking } from '../contracts/model.ts'
import type { RunSettings } from '../contracts/settings.ts'
import { jsonOrFile } from '../lib/text/json.ts'
import {
  agentOf,
  type FlagReader,
  inputOf,
  lockOf,
  resumeOf,
  sessionIdOf,
  thinkingOf,
  worktreeOf,
} from './combinedFlags.ts'
import type { RunFlagName } from './flags.ts'
import { countVariable, type ModelSettings, modelSettings } from './modelSettings.ts'
import type { FlagValue, FlagValues } from './parseArguments.ts'
import { type Environment, withEnvironment } from './withEnvironment.ts'

/** The configuration of a run, in one frozen object. Paths are absolute, times are in milliseconds. */
export type Config = ModelSettings & {
  readonly cwd: string
  readonly model: string
  readonly smallModel: string
  readonly expertModel: string
  readonly fallbackModels: readonly string[]
  readonly limits: Limits
  /** Undefined: the policy's mode. */
  readonly permissionMode: PermissionMode | undefined
  readonly addDirs: readonly string[]
  readonly outputFormat: 'text' | 'json' | 'stream-json'
  readonly lastMessageFile: string | undefined
  /** JSON text, or a file's path. */
  readonly jsonSchema: string | undefined
  readonly transcript: string | undefined
  readonly summaryFile: string | undefined
  /** Where the in-toto statement about the run is written. */
  readonly attestFile: string | undefined
  /** Each JSON text, or a file's path. */
  readonly mcpConfigs: readonly string[]
  readonly strictMcpConfig: boolean
  /** The folders of plugins. */
  readonly pluginDirs: readonly string[]
  readonly tools: readonly string[] | undefined
  readonly bare: boolean
  readonly systemPrompt: TextSource | undefined
  readonly appendSystemPrompt: TextSource | undefined
  /** JSON text, or a file's path. */
  readonly agents: string | undefined
  /** The agent that does the task. Its own model counts unless a flag names one. */
  readonly agent: { readonly name: string; readonly hasModel: boolean } | undefined
  /** The name of the worktree to work in; `auto`: named after the run. */
  readonly worktree: string | undefined
  readonly debugFile: string | undefined
  readonly record: string | undefined
  readonly replay: string | undefined
  readonly replayMatch: 'strict' | 'loose'
  readonly requireFinish: boolean
  readonly failOnDenied: boolean
  readonly failOnFinding: boolean
  /** Run calls that only lack an allow rule, in the sandbox. */
  readonly audit: boolean
  /** Check everything, but send no request to the model. */
  readonly dryRun: boolean
  readonly color: 'auto' | 'always' | 'never'
  readonly quiet: boolean
  readonly verbose: boolean
  readonly timestamps: boolean
  readonly allowInsecureBaseUrl: boolean
  readonly maxRetryWaitMs: number
  readonly resume: string | undefined
  /** True: a resumed run gets a session id of its own. */
  readonly forkSession: boolean
  readonly sessionId: string | undefined
  readonly includePartialMessages: boolean
  readonly inputFormat: 'text' | 'stream-json'
  /** `stdio`: the caller is asked about calls that no rule decides. */
  readonly permissionPromptTool: 'stdio' | undefined
  readonly applyPatch: boolean
  readonly repair: boolean
  readonly acceptPolicyChange: boolean
  readonly lock: { readonly name: string; readonly staleMs: number | undefined } | undefined
  readonly maxOutputTokens: number
  /** Undefined: the model's default. */
  readonly thinking: Thinking | undefined
  readonly effort: Effort | undefined
  /** Whether requests use these features of the API; undefined: where it is known to have them. */
  readonly toolReferences: boolean | undefined
  readonly strictTools: boolean | undefined
  readonly contextWindow: number
  /** Where the API key is; if both are undefined, in the environment. */
  readonly apiKeyFile: string | undefined
  readonly apiKeyDescriptor: number | undefined
  /** The longest result of a tool; longer ones go to a file. */
  readonly maxResultCharacters: number
  readonly bashTimeoutMs: number
  readonly bashMaxTimeoutMs: number
  /** How long an agent that is done waits for its background commands. */
  readonly backgroundWaitMs: number
  /** The folder that beats the policy's. */
  readonly ledger: string | undefined
  readonly once: boolean
}

/** All limits of a run. Only `tokens` may be undefined; it applies if money cannot be counted. */
export type Limits = {
  readonly turns: number
  readonly budgetUsd: number
  /** True if a budget was given explicitly: an unpriced model is then an error. */
  readonly isBudgetExplicit: boolean
  readonly tokens: number | undefined
  readonly toolCalls: number
  readonly denials: number
  readonly timeoutMs: number
}

export type TextSource = { readonly text: string } | { readonly file: string }

/**
 * The configuration of a run: flag > environment > policy `run:` > default. Paths of flags start at `folder`, where the
 * command was started. A malformed environment value is a `usage` error that names the variable.
 */
export function resolveConfig(
  given: FlagValues,
  environment: Environment,
  policy: RunSettings,
  cwd: string,
  folder = cwd,
): Config {
  const flags = withEnvironment(given, environment)
  const value = <T extends FlagValue>(name: RunFlagName): T | undefined => flags[name] as T | undefined
  const path = (name: RunFlagName): string | undefined => absolute(value<string>(name), folder)
  const json = (name: RunFlagName) =>
    value<string>(name) === undefined ? undefined : jsonOrFile(value<string>(name) ?? '', folder)
  const positive = (name: RunFlagName): number | undefined => requirePositive(name, value<number>(name))
  const { idOf, ...answering } = modelSettings(environment, policy)
  const budget = positive('max-budget-usd') ?? policy.maxBudgetUsd
  if (value('api-key-fd') !== undefined && value('api-key-file') !== undefined)
    throw new RunError('usage', '--api-key-fd and --api-key-file cannot be combined.')
  return Object.freeze({
    cwd,
    ...answering,
    model: idOf(value<string>('model') ?? policy.model ?? 'default'),
    smallModel: idOf(policy.smallModel ?? 'haiku'),
    expertModel: idOf(policy.expertModel ?? 'opus'),
    fallbackModels: (value<string[]>('fallback-model') ?? policy.fallbackModel ?? []).map(idOf),
    limits: {
      turns: positive('max-turns') ?? policy.maxTurns ?? 50,
      budgetUsd: budget ?? 5,
      isBudgetExplicit: budget !== undefined,
      tokens: positive('max-tokens-total') ?? policy.maxTokensTotal,
      toolCalls: positive('max-tool-calls') ?? policy.maxToolCalls ?? 500,
      denials: positive('max-denials') ?? policy.maxDenials ?? 20,
      timeoutMs: value<number>('timeout') ?? policy.timeoutMs ?? 30 * 60_000,
    },
    permissionMode: value<PermissionMode>('permission-mode'),
    addDirs: (value<string[]>('add-dir') ?? []).map((directory) => resolve(folder, directory)),
    outputFormat: value<Config['outputFormat']>('output-format') ?? policy.outputFormat ?? 'text',
    lastMessageFile: path('output-last-message'),
    jsonSchema: json('json-schema'),
    transcript: path('transcript'),
    summaryFile: path('summary'),
    attestFile: path('attest'),
    mcpConfigs: (value<string[]>('mcp-config') ?? []).map((text) => jsonOrFile(text, folder)),
    strictMcpConfig: value<boolean>('strict-mcp-config') ?? false,
    pluginDirs: (value<string[]>('plugin-dir') ?? []).map((directory) => resolve(folder, directory)),
    tools: value<string[]>('tools'),
    bare: value<boolean>('bare') ?? false,
    systemPrompt: textSource(value, 'system-prompt', folder) ?? asText(policy.systemPrompt),
    appendSystemPrompt: textSource(value, 'append-system-prompt', folder) ?? asText(policy.appendSystemPrompt),
    agents: json('agents'),
    agent: agentOf(value),
    worktree: worktreeOf(value),
    debugFile: path('debug-file'),
    record: path('record'),
    replay: path('replay'),
    replayMatch: value<Config['replayMatch']>('replay-match') ?? 'strict',
    requireFinish: policy.requireFinish ?? false,
    failOnDenied: value<boolean>('fail-on-denied') ?? policy.failOnDenied ?? false,
    failOnFinding: value<boolean>('fail-on-finding') ?? false,
    audit: value<boolean>('audit') ?? false,
    dryRun: value<boolean>('dry-run') ?? false,
    color: value<Config['color']>('color') ?? 'auto',
    quiet: value<boolean>('quiet') ?? false,
    verbose: value<boolean>('verbose') ?? false,
    timestamps: value<boolean>('timestamps') ?? false,
    allowInsecureBaseUrl: value<boolean>('allow-insecure-base-url') ?? false,
    maxRetryWaitMs: value<number>('max-retry-wait') ?? policy.maxRetryWaitMs ?? 120_000,
    ...resumeOf(value, path('resume')),
    sessionId: sessionIdOf(value<string>('session-id')),
    includePartialMessages: value<boolean>('include-partial-messages') ?? false,
    ...inputOf(value, value<string>('output-format')),
    lock: lockOf(value<string>('lock'), value<number>('lock-stale')),
    maxOutputTokens: policy.maxTokens ?? 32_000,
    thinking: thinkingOf(value) ?? policy.thinking,
    effort: value<Effort>('effort') ?? policy.effort,
    toolReferences: policy.toolReferences,
    strictTools: policy.strictTools,
    contextWindow: policy.contextWindow ?? 200_000,
    apiKeyFile: path('api-key-file'),
    apiKeyDescriptor: value<number>('api-key-fd'),
    maxResultCharacters: countVariable(environment, 'BASH_MAX_OUTPUT_LENGTH') ?? policy.maxResultCharacters ?? 30_000,
    bashTimeoutMs: countVariable(environment, 'BASH_DEFAULT_TIMEOUT_MS') ?? policy.bashTimeoutMs ?? 120_000,
    bashMaxTimeoutMs: countVariable(environment, 'BASH_MAX_TIMEOUT_MS') ?? policy.bashMaxTimeoutMs ?? 600_000,
    backgroundWaitMs: policy.backgroundWaitMs ?? 300_000,
    ledger: path('ledger'),
    once: value<boolean>('once') ?? false,
  })
}

function textSource(
  value: FlagReader,
  name: 'system-prompt' | 'append-system-prompt',
  folder: string,
): TextSource | undefined {
  const text = value<string>(name)
  const file = value<string>(`${name}-file`)
  if (text !== undefined && file !== undefined)
    throw new RunError('usage', `--${name} and --${name}-file cannot be combined.`)
  return file === undefined ? asText(text) : { file: resolve(folder, file) }
}

function asText(text: string | undefined): TextSource | undefined {
  return text === undefined ? undefined : { text }
}

function absolute(path: string | undefined, folder: string): string | undefined {
  return path === undefined || isAbsolute(path) ? path : resolve(folder, path)
}

/** Refuses a limit of 0, which would end the run before its first request. */
function requirePositive(name: string, count: number | undefined): number | undefined {
  if (count !== 0) return count
  const advice = name === 'max-denials' ? ' With 1 the first denied call ends the run.' : ''
  throw new RunError('usage', `--${name} must be more than 0.${advice}`)
}

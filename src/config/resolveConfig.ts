import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { PermissionMode } from '../contracts/decision.ts'
import { RunError } from '../contracts/errors.ts'
import type { Frozen } from '../contracts/Frozen.ts'
import type { Effort } from '../contracts/model.ts'
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
import { RUN_FLAGS, type RunFlagName } from './flags.ts'
import { countVariable, modelSettings } from './modelSettings.ts'
import type { FlagValue, FlagValues } from './parseArguments.ts'
import { requirePositive } from './readFlag.ts'
import { type Environment, withEnvironment } from './withEnvironment.ts'

/** The configuration of a run, in one frozen object. Paths are absolute, times are in milliseconds. */
export type Config = Frozen<ReturnType<typeof resolveConfig>>

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
) {
  const flags = withEnvironment(given, environment)
  const value = <T extends FlagValue>(name: RunFlagName): T | undefined => flags[name] as T | undefined
  const path = (name: RunFlagName): string | undefined => absolute(value<string>(name), folder)
  const json = (name: RunFlagName) =>
    value<string>(name) === undefined ? undefined : jsonOrFile(value<string>(name) ?? '', folder)
  const positive = (name: RunFlagName): number | undefined => {
    const count = value<number>(name)
    return count === undefined ? undefined : requirePositive(`--${name}`, RUN_FLAGS[name], count)
  }
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
    /** All limits of a run. Only `tokens` may be undefined; it applies if money cannot be counted. */
    limits: {
      turns: positive('max-turns') ?? policy.maxTurns ?? 50,
      budgetUsd: budget ?? 5,
      /** True if a budget was given explicitly: an unpriced model is then an error. */
      isBudgetExplicit: budget !== undefined,
      tokens: positive('max-tokens-total') ?? policy.maxTokensTotal,
      toolCalls: positive('max-tool-calls') ?? policy.maxToolCalls ?? 500,
      denials: positive('max-denials') ?? policy.maxDenials ?? 20,
      timeoutMs: value<number>('timeout') ?? policy.timeoutMs ?? 30 * 60_000,
    },
    /** Undefined: the policy's mode. */
    permissionMode: value<PermissionMode>('permission-mode'),
    addDirs: (value<string[]>('add-dir') ?? []).map((directory) => resolve(folder, directory)),
    outputFormat: value<'text' | 'json' | 'stream-json'>('output-format') ?? policy.outputFormat ?? 'text',
    lastMessageFile: path('output-last-message'),
    /** JSON text, or a file's path. */
    jsonSchema: json('json-schema'),
    transcript: path('transcript'),
    summaryFile: path('summary'),
    /** Where the in-toto statement about the run is written. */
    attestFile: path('attest'),
    /** Each JSON text, or a file's path. */
    mcpConfigs: (value<string[]>('mcp-config') ?? []).map((text) => jsonOrFile(text, folder)),
    strictMcpConfig: value<boolean>('strict-mcp-config') ?? false,
    pluginDirs: (value<string[]>('plugin-dir') ?? []).map((directory) => resolve(folder, directory)),
    tools: value<string[]>('tools'),
    bare: value<boolean>('bare') ?? false,
    systemPrompt: textSource(value, 'system-prompt', folder) ?? asText(policy.systemPrompt),
    appendSystemPrompt: textSource(value, 'append-system-prompt', folder) ?? asText(policy.appendSystemPrompt),
    /** JSON text, or a file's path. */
    agents: json('agents'),
    /** The agent that does the task. Its own model counts unless a flag names one. */
    agent: agentOf(value),
    /** The name of the worktree to work in; `auto`: named after the run. */
    worktree: worktreeOf(value),
    debugFile: path('debug-file'),
    record: path('record'),
    replay: path('replay'),
    replayMatch: value<'strict' | 'loose'>('replay-match') ?? 'strict',
    requireFinish: policy.requireFinish ?? false,
    failOnDenied: value<boolean>('fail-on-denied') ?? policy.failOnDenied ?? false,
    failOnFinding: value<boolean>('fail-on-finding') ?? false,
    /** Run calls that only lack an allow rule, in the sandbox. */
    audit: value<boolean>('audit') ?? false,
    /** Check everything, but send no request to the model. */
    dryRun: value<boolean>('dry-run') ?? false,
    color: value<'auto' | 'always' | 'never'>('color') ?? 'auto',
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
    /** Undefined: the model's default. */
    thinking: thinkingOf(value) ?? policy.thinking,
    effort: value<Effort>('effort') ?? policy.effort,
    /** Whether requests use these features of the API; undefined: where it is known to have them. */
    toolReferences: policy.toolReferences,
    strictTools: policy.strictTools,
    contextWindow: policy.contextWindow ?? 200_000,
    /** Where the API key is; if both are undefined, in the environment. */
    apiKeyFile: path('api-key-file'),
    apiKeyDescriptor: value<number>('api-key-fd'),
    /** The longest result of a tool; longer ones go to a file. */
    maxResultCharacters: countVariable(environment, 'BASH_MAX_OUTPUT_LENGTH') ?? policy.maxResultCharacters ?? 30_000,
    bashTimeoutMs: countVariable(environment, 'BASH_DEFAULT_TIMEOUT_MS') ?? policy.bashTimeoutMs ?? 120_000,
    bashMaxTimeoutMs: countVariable(environment, 'BASH_MAX_TIMEOUT_MS') ?? policy.bashMaxTimeoutMs ?? 600_000,
    /** How long an agent that is done waits for its background commands. */
    backgroundWaitMs: policy.backgroundWaitMs ?? 300_000,
    /** The folder that beats the policy's. */
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

/** The folder of the project: `--cwd` or the current one, with links resolved, because rules are anchored there. */
export function projectRoot({ cwd }: { readonly cwd: string }, flags: FlagValues): string {
  const path = resolve(cwd, (flags['cwd'] as string | undefined) ?? '.')
  try {
    if (statSync(path).isDirectory()) return realpathSync(path)
  } catch (error) {
    throw new RunError('usage', `--cwd: there is no folder ${path}.`, { cause: error })
  }
  throw new RunError('usage', `--cwd: ${path} is not a folder.`)
}

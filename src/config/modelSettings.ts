import { RunError } from '../contracts/errors.ts'
import { modelId, type Provider } from '../contracts/model.ts'
import type { RunSettings } from '../contracts/settings.ts'
import type { Environment } from './withEnvironment.ts'

/** Who answers, where, and with which key: by Claude Code's variables and the policy. */
export function modelSettings(environment: Environment, policy: RunSettings) {
  const provider = providerOf(environment, policy)
  const modelIds: Readonly<Record<string, string>> = { ...policy.modelIds, ...modelVariables(environment) }
  return {
    provider,
    /** Undefined: the usual address of the provider. */
    baseUrl: nonEmpty(environment[BASE_URLS[provider]]) ?? policy.baseUrl,
    apiKeyHelper: helperOf(environment, policy),
    /** What `opus`, `sonnet` and `haiku` stand for, where that is not the provider's usual id. */
    modelIds,
    /** Turns a name such as `opus` into an id. */
    idOf: (name: string) => modelId(name, provider, modelIds),
  }
}

const BASE_URLS: Readonly<Record<Provider, string>> = {
  anthropic: 'ANTHROPIC_BASE_URL',
  bedrock: 'ANTHROPIC_BEDROCK_BASE_URL',
  vertex: 'ANTHROPIC_VERTEX_BASE_URL',
  foundry: 'ANTHROPIC_FOUNDRY_BASE_URL',
}

/** The cloud that a variable of Claude Code names, or that of the policy. */
function providerOf(environment: Environment, policy: RunSettings): Provider {
  const clouds = ['bedrock', 'vertex', 'foundry'] as const
  const isOn = (text = '') => !['', '0', 'false'].includes(text.trim().toLowerCase())
  const named = clouds.filter((cloud) => isOn(environment[`CLAUDE_CODE_USE_${cloud.toUpperCase()}`]))
  if (named.length > 1) {
    const names = named.map((cloud) => `CLAUDE_CODE_USE_${cloud.toUpperCase()}`).join(' and ')
    throw new RunError('usage', `${names} are both set: set one.`)
  }
  return named[0] ?? policy.provider ?? 'anthropic'
}

/** The ids of `ANTHROPIC_DEFAULT_OPUS_MODEL` and its like. */
function modelVariables(environment: Environment): Readonly<Record<string, string>> {
  const ids = ['opus', 'sonnet', 'haiku'].map(
    (name) => [name, nonEmpty(environment[`ANTHROPIC_DEFAULT_${name.toUpperCase()}_MODEL`])?.trim()] as const,
  )
  return Object.fromEntries(ids.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** A command line of the policy that prints the key, and for how long a key is used. */
function helperOf(environment: Environment, policy: RunSettings) {
  const ttlMs = countVariable(environment, 'CLAUDE_CODE_API_KEY_HELPER_TTL_MS')
  const { apiKeyHelper: command, apiKeyHelperTtlMs = 300_000 } = policy
  return command === undefined ? undefined : { command, ttlMs: ttlMs ?? apiKeyHelperTtlMs }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text
}

export function countVariable(environment: Environment, name: string): number | undefined {
  const text = nonEmpty(environment[name])
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text))
    throw new RunError('usage', `${name}: ${JSON.stringify(text)} is not a number of milliseconds.`)
  return Number(text)
}

import type { Config } from '../../config/resolveConfig.ts'
import { RunError } from '../../contracts/errors.ts'
import type { Usage } from '../../contracts/messages.ts'
import type { ModelClient } from '../../contracts/model.ts'
import { openHelper } from '../../hooks/openHelper.ts'
import type { Redactor } from '../../lib/secrets/redact.ts'
import type { KeyHelper } from '../../model/AnthropicOptions.ts'
import { assertApiKey } from '../../model/assertApiKey.ts'
import { DEFAULT_BASE_URL } from '../../model/createAnthropicClient.ts'
import { createModelClient } from '../../model/createModelClient.ts'
import { gatewayHeaders } from '../../model/elsewhere/gatewayHeaders.ts'
import type { Cloud } from '../../model/elsewhere/openCloud.ts'
import { costOf, isPriced, PRICES_DATE } from '../../model/prices.ts'
import { readRoute } from '../../model/route.ts'
import type { Policy } from '../../policy/Policy.ts'
import { createLimits, type Limits, type PriorUsage, UNPRICED_TOKENS } from '../../query/createLimits.ts'
import { helperPlace, type RunRequest, workspacesOf } from '../RunRequest.ts'

/** The model client of the run: the library user's, a replay, or the API. Throws `auth` without a key or a replay. */
export async function makeModel(request: RunRequest, redactor: Redactor): Promise<ModelClient> {
  const { config, apiKey, environment, home } = request
  if (request.model !== undefined) return request.model
  const isAsked = config.replay === undefined
  const settings = isAsked && apiKey === undefined ? config.apiKeyHelper : undefined
  const learn = (value: string) => redactor.learn([{ name: 'ANTHROPIC_API_KEY', value }])
  const helper = settings && openKeyHelper(request, settings, learn)
  if (isAsked && config.provider === 'anthropic' && apiKey === undefined && helper === undefined) {
    throw new RunError(
      'auth',
      'There is no API key: set ANTHROPIC_API_KEY, or use --api-key-file, --api-key-fd or run.apiKeyHelper. Without one, --replay FILE plays a recorded run.',
    )
  }
  let cloud: Cloud | undefined
  if (isAsked && config.provider !== 'anthropic') {
    const { openCloud } = await import('../../model/elsewhere/openCloud.ts')
    const { baseUrl } = config
    cloud = await openCloud(config.provider, { environment, checkout: workspacesOf(request), baseUrl, helper })
  }
  await helper?.get()
  return createModelClient({
    provider: config.provider,
    cloud,
    anthropic: { ...anthropicOptions(request, cloud?.baseURL), apiKey: apiKey ?? helper },
    replay: config.replay === undefined ? undefined : { file: config.replay, match: config.replayMatch },
    record: config.record === undefined ? undefined : { file: config.record },
    redact: redactor.text,
    volatile: [config.cwd, home, environment['TMPDIR'] ?? '/tmp'],
  })
}

function anthropicOptions(request: RunRequest, cloudUrl = DEFAULT_BASE_URL) {
  const { config, environment, note } = request
  return {
    baseURL: config.baseUrl ?? cloudUrl,
    headers: gatewayHeaders(environment['ANTHROPIC_CUSTOM_HEADERS']),
    allowInsecureBaseUrl: config.allowInsecureBaseUrl,
    fallbackModels: config.fallbackModels,
    toolReferences: config.toolReferences,
    strictTools: config.strictTools,
    maxRetryWaitMs: config.maxRetryWaitMs,
    log: note,
    ...(config.replay === undefined && readRoute(environment)),
  }
}

/** What requests cost, and the models of the run whose price is not known. */
export type Prices = { costOf(model: string, usage: Usage): number | null; readonly unpriced: readonly string[] }

export function pricesOf(config: Config, policy: Policy): Prices {
  const { pricing } = policy.settings
  return {
    costOf: (model, usage) => costOf(model, usage, pricing),
    unpriced: [config.model, ...config.fallbackModels].filter((model) => !isPriced(model, pricing)),
  }
}

/** The limits of the run: money if all models have prices, otherwise tokens. */
export function makeLimits(config: Config, { costOf, unpriced }: Prices, before?: PriorUsage): Limits {
  const { turns, toolCalls, denials, budgetUsd, isBudgetExplicit, tokens } = config.limits
  if (unpriced.length > 0 && isBudgetExplicit) {
    throw new RunError(
      'config',
      `--max-budget-usd: ${unpriced.join(', ')} has no price in the table of ${PRICES_DATE}. Add it under \`pricing:\` of the policy.`,
    )
  }
  const isPricedRun = unpriced.length === 0
  return createLimits(
    {
      turns,
      toolCalls,
      denials,
      budgetUsd: isPricedRun ? budgetUsd : undefined,
      tokens: tokens ?? (isPricedRun ? undefined : UNPRICED_TOKENS),
    },
    costOf,
    undefined,
    before,
  )
}

/** `run.apiKeyHelper`: a helper of the policy that prints a key. `learn` gets each key before anybody uses it. */
function openKeyHelper(
  request: RunRequest,
  { command, ttlMs }: NonNullable<Config['apiKeyHelper']>,
  learn: (key: string) => void,
): KeyHelper {
  const helper = openHelper(helperPlace(request), 'run.apiKeyHelper', command)
  let key = ''
  let endsAt = 0
  let asking: Promise<string> | undefined
  const ask = async () => {
    const found = assertApiKey(await helper(request.signal), 'the output of run.apiKeyHelper')
    learn(found)
    key = found
    endsAt = performance.now() + ttlMs
    return key
  }
  return {
    get() {
      if (performance.now() < endsAt) return Promise.resolve(key)
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    refuse() {
      endsAt = 0
    },
    last: () => key,
  }
}

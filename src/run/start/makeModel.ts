import { accessSync, constants, readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import type { Config } from '../../config/resolveConfig.ts'
import { RunError } from '../../contracts/errors.ts'
import type { Usage } from '../../contracts/messages.ts'
import type { ModelClient } from '../../contracts/model.ts'
import type { Redactor } from '../../lib/secrets/redact.ts'
import { DEFAULT_BASE_URL } from '../../model/createAnthropicClient.ts'
import { createModelClient } from '../../model/createModelClient.ts'
import { costOf, isPriced, PRICES_DATE } from '../../model/prices.ts'
import type { Policy } from '../../policy/Policy.ts'
import { createLimits, type Limits, type PriorUsage, UNPRICED_TOKENS } from '../../query/createLimits.ts'
import type { RunRequest } from '../RunRequest.ts'

/** The model client of the run: the library user's, a replay, or the API. Throws `auth` without a key or a replay. */
export async function makeModel(request: RunRequest, redactor: Redactor): Promise<ModelClient> {
  const { config, apiKey, environment, home } = request
  if (request.model !== undefined) return request.model
  if (config.replay === undefined && apiKey === undefined) {
    throw new RunError(
      'auth',
      'There is no API key: set ANTHROPIC_API_KEY, or use --api-key-file or --api-key-fd. Without one, --replay FILE plays a recorded run.',
    )
  }
  return createModelClient({
    provider: 'anthropic',
    anthropic: anthropicOptions(request),
    replay: config.replay === undefined ? undefined : { file: config.replay, match: config.replayMatch },
    record: config.record === undefined ? undefined : { file: config.record },
    redact: redactor.text,
    volatile: [config.cwd, home, environment['TMPDIR'] ?? '/tmp'],
  })
}

function anthropicOptions({ config, environment, note, apiKey }: RunRequest) {
  const proxy = (name: string) => (environment[name] ?? environment[name.toLowerCase()])?.trim()
  return {
    apiKey,
    baseURL: config.baseUrl ?? DEFAULT_BASE_URL,
    allowInsecureBaseUrl: config.allowInsecureBaseUrl,
    fallbackModels: config.fallbackModels,
    toolReferences: config.toolReferences,
    strictTools: config.strictTools,
    maxRetryWaitMs: config.maxRetryWaitMs,
    proxy: { httpProxy: proxy('HTTP_PROXY'), httpsProxy: proxy('HTTPS_PROXY'), noProxy: proxy('NO_PROXY') },
    ...(note === undefined ? {} : { log: note }),
    ...(config.replay === undefined && { trusted: trustedBy(environment) }),
  }
}

/**
 * The certificates in `SSL_CERT_FILE`, which Node does not read, besides Node's own. Undefined if the variable is not
 * set. Throws `config` for a file of either variable that cannot be read: Node passes over that in silence.
 */
function trustedBy({ SSL_CERT_FILE: file = '', NODE_EXTRA_CA_CERTS: extra = '' }: RunRequest['environment']) {
  for (const [name, path] of Object.entries({ SSL_CERT_FILE: file, NODE_EXTRA_CA_CERTS: extra }))
    if (path !== '' && !isReadable(path)) throw new RunError('config', `${name} names ${path}, which cannot be read`)
  const paths = [file, extra].filter((path) => path !== '')
  if (file === '') return undefined
  return () => [...rootCertificates, ...paths.map((path) => readFileSync(path, 'utf8'))]
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** The limits of the run: money if all models have prices, otherwise tokens. */
export function makeLimits(config: Config, policy: Policy, before?: PriorUsage): Limits {
  const { turns, toolCalls, denials, budgetUsd, isBudgetExplicit, tokens } = config.limits
  const { pricing } = policy.settings
  const unpriced = [config.model, ...config.fallbackModels].filter((model) => !isPriced(model, pricing))
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
    (model: string, usage: Usage) => costOf(model, usage, pricing),
    undefined,
    before,
  )
}

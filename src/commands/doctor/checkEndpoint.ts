import { resolve } from 'node:path'
import { modelSettings } from '../../config/modelSettings.ts'
import type { FlagValues } from '../../config/parseArguments.ts'
import { innerMessageOf } from '../../contracts/errors.ts'
import { PROVIDER_NAMES } from '../../contracts/model.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import type { RunSettings } from '../../contracts/settings.ts'
import { assertBaseUrl, DEFAULT_BASE_URL } from '../../model/createAnthropicClient.ts'
import { gatewayHeaders } from '../../model/elsewhere/gatewayHeaders.ts'
import { openCloud } from '../../model/elsewhere/openCloud.ts'
import { openRoute, readRoute } from '../../model/route.ts'
import { keyVariable, readApiKey } from '../../sandbox/environment/readApiKey.ts'
import { type Finding, failed, fault, found } from './Finding.ts'

const PATIENCE_MS = 15_000
const NAME = 'endpoint'

/** Where requests of a run go. `isApi`: to the API or a gateway, with a key. */
type Target = ReturnType<typeof findTarget>

/** Who would answer a run: the API, or a cloud with its package. Throws `RunError` where a run would throw it. */
export function findTarget({ environment, cwd }: ProcessIo, flags: FlagValues, policy: RunSettings) {
  const { provider, baseUrl, apiKeyHelper, idOf } = modelSettings(environment, policy)
  const model = idOf((flags['model'] as string | undefined) ?? policy.model ?? 'default')
  const isApi = provider === 'anthropic'
  const route = readRoute(environment)
  const cloud = isApi ? undefined : openCloud(provider, { environment, checkout: [cwd], baseUrl })
  const given = cloud?.baseURL ?? baseUrl ?? DEFAULT_BASE_URL
  const url = assertBaseUrl(given, flags['allow-insecure-base-url'] === true)
  const by = cloud === undefined ? '' : `, with ${cloud.package}`
  const finding = found('model', `${model} of ${PROVIDER_NAMES[provider]} at ${cloud?.baseURL ?? url}${by}`)
  return { isApi, hasHelper: apiKeyHelper !== undefined, route, baseUrl: url, finding }
}

/** The key as a run would read it. The finding never contains the key. */
export async function readKey(
  io: ProcessIo,
  flags: FlagValues,
  hasHelper = false,
): Promise<{ readonly finding: Finding; readonly value?: string }> {
  const file = flags['api-key-file'] as string | undefined
  const variable = keyVariable(io.environment)
  try {
    const value = await readApiKey({ file: file && resolve(io.cwd, file), variable })
    if (value !== undefined) return { finding: found('key', `from ${file ?? variable?.name}`), value }
    if (hasHelper) return { finding: found('key', 'run.apiKeyHelper of the policy prints it; --dry-run tries it') }
    const detail = 'not found: set ANTHROPIC_API_KEY, or use --api-key-file. --replay needs no key.'
    return { finding: fault('key', 'auth', detail) }
  } catch (error) {
    return { finding: failed('key', error, 'auth') }
  }
}

/** Asks the API for its list of models, which costs nothing. A cloud only has to answer. */
export async function checkEndpoint(io: ProcessIo, key: string | undefined, target: Target): Promise<Finding> {
  const { baseUrl: base, isApi } = target
  const dispatcher = await openRoute(base, target.route)
  try {
    const custom = isApi ? gatewayHeaders(io.environment['ANTHROPIC_CUSTOM_HEADERS']) : {}
    const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const headers = { 'anthropic-version': '2023-06-01', ...bearer, ...custom }
    const { status } = await fetch(isApi ? `${base}/v1/models?limit=1` : base, {
      ...{ headers, signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' },
      ...(dispatcher && { dispatcher: dispatcher as never }),
    })
    if (!isApi) return found(NAME, `${base} answers; only a request shows whether it takes the credentials`)
    const isRefused = status === 401 || status === 403
    if (isRefused && key !== undefined)
      return fault(NAME, 'auth', `${base} answers, but rejects the key (HTTP ${status})`)
    if (status < 400 || isRefused) return found(NAME, `${base} answers`)
    const reason = status === 404 ? '; a gateway may have no list of models' : ''
    return found(NAME, `${base} answers with HTTP ${status}${reason}`, 'warning')
  } catch (error) {
    const advice = 'Behind a proxy, set HTTPS_PROXY and NODE_EXTRA_CA_CERTS.'
    return fault(NAME, 'api_unavailable', `${base} does not answer: ${innerMessageOf(error)}. ${advice}`)
  } finally {
    await dispatcher?.destroy()
  }
}

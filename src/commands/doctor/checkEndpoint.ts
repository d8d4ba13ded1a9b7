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
import { openRoute, type Route, readRoute } from '../../model/route.ts'
import { keyVariable, readApiKey } from '../../sandbox/environment/readApiKey.ts'
import { type Finding, failed } from './Finding.ts'

const PATIENCE_MS = 15_000
const VARIABLE = 'ANTHROPIC_API_KEY'

/** Where requests of a run go. `isApi`: to the API or a gateway, with a key. */
export type Target = {
  readonly baseUrl: string
  readonly route: Route
  readonly isApi: boolean
  readonly hasHelper: boolean
}

/** Who would answer a run: the API, or a cloud with its package. Throws `RunError` where a run would throw it. */
export function findTarget(
  { environment, cwd }: ProcessIo,
  flags: FlagValues,
  policy: RunSettings,
): Target & { finding: Finding } {
  const { provider, baseUrl, apiKeyHelper, idOf } = modelSettings(environment, policy)
  const model = idOf((flags['model'] as string | undefined) ?? policy.model ?? 'default')
  const hasHelper = apiKeyHelper !== undefined
  const said = (detail: string): Finding => ({ name: 'model', level: 'ok', detail: `${model} of ${detail}` })
  const assert = (url: string) => assertBaseUrl(url, flags['allow-insecure-base-url'] === true)
  const route = readRoute(environment)
  if (provider === 'anthropic') {
    const url = assert(baseUrl ?? DEFAULT_BASE_URL)
    return { baseUrl: url, route, isApi: true, hasHelper, finding: said(`${PROVIDER_NAMES[provider]} at ${url}`) }
  }
  const cloud = openCloud(provider, { environment, checkout: [cwd], baseUrl })
  const detail = `${PROVIDER_NAMES[provider]} at ${cloud.baseURL}, with ${cloud.package}`
  return { baseUrl: assert(cloud.baseURL), route, isApi: false, hasHelper, finding: said(detail) }
}

/** The key as a run would read it. The finding never contains the key. */
export async function readKey(
  io: ProcessIo,
  flags: FlagValues,
  hasHelper = false,
): Promise<{ readonly finding: Finding; readonly value: string | undefined }> {
  const file = flags['api-key-file'] as string | undefined
  const variable = keyVariable(io.environment)
  try {
    const key = await readApiKey({ file: file && resolve(io.cwd, file), variable })
    if (key !== undefined)
      return { finding: { name: 'key', level: 'ok', detail: `from ${file ?? variable?.name}` }, value: key }
    if (hasHelper) {
      const detail = 'run.apiKeyHelper of the policy prints it; --dry-run tries it'
      return { finding: { name: 'key', level: 'ok', detail }, value: undefined }
    }
    const detail = `not found: set ${VARIABLE}, or use --api-key-file. --replay needs no key.`
    return { finding: { name: 'key', level: 'error', detail, reason: 'auth' }, value: undefined }
  } catch (error) {
    return { finding: failed('key', error, 'auth'), value: undefined }
  }
}

/** Asks the API for its list of models, which costs nothing. A cloud only has to answer. */
export async function checkEndpoint(io: ProcessIo, key: string | undefined, target: Target): Promise<Finding> {
  const { baseUrl: base, isApi } = target
  const name = 'endpoint'
  const dispatcher = await openRoute(base, target.route)
  try {
    const custom = isApi ? gatewayHeaders(io.environment['ANTHROPIC_CUSTOM_HEADERS']) : {}
    const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const headers = { 'anthropic-version': '2023-06-01', ...bearer, ...custom }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const init: RequestInit = {
      headers,
      signal,
      redirect: 'error',
      ...(dispatcher && { dispatcher: dispatcher as never }),
    }
    const { status } = await fetch(isApi ? `${base}/v1/models?limit=1` : base, init)
    if (!isApi)
      return { name, level: 'ok', detail: `${base} answers; only a request shows whether it takes the credentials` }
    const isRefused = status === 401 || status === 403
    if (isRefused && key !== undefined)
      return { name, level: 'error', detail: `${base} answers, but rejects the key (HTTP ${status})`, reason: 'auth' }
    const isGood = status < 400 || isRefused
    const reason = status === 404 ? '; a gateway may have no list of models' : ''
    const detail = `${base} answers${isGood ? '' : ` with HTTP ${status}${reason}`}`
    return { name, level: isGood ? 'ok' : 'warning', detail }
  } catch (error) {
    const detail = `${base} does not answer: ${innerMessageOf(error)}. Behind a proxy, set HTTPS_PROXY and NODE_EXTRA_CA_CERTS.`
    return { name, level: 'error', detail, reason: 'api_unavailable' }
  } finally {
    await dispatcher?.destroy()
  }
}

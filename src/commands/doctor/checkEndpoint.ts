import { resolve } from 'node:path'
import { modelSettings } from '../../config/modelSettings.ts'
import type { FlagValues } from '../../config/parseArguments.ts'
import { innerMessageOf, messageOf, RunError } from '../../contracts/errors.ts'
import { PROVIDER_NAMES } from '../../contracts/model.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import type { RunSettings } from '../../contracts/settings.ts'
import { createGuardedFetch } from '../../lib/net/createGuardedFetch.ts'
import { DEFAULT_BASE_URL } from '../../model/createAnthropicClient.ts'
import { gatewayHeaders } from '../../model/elsewhere/gatewayHeaders.ts'
import { openCloud } from '../../model/elsewhere/openCloud.ts'
import { keyVariable, readApiKey } from '../../sandbox/environment/readApiKey.ts'
import type { Finding } from './Finding.ts'

const PATIENCE_MS = 15_000
const VARIABLE = 'ANTHROPIC_API_KEY'

/** Where requests of a run go. `isApi`: to the API or a gateway, with a key. */
export type Target = { readonly baseUrl: string; readonly isApi: boolean; readonly hasHelper: boolean }

/** Who would answer a run: the API, or a cloud with its package. Throws `RunError` if a package or a setting is missing. */
export function findTarget(
  { environment, cwd }: ProcessIo,
  flags: FlagValues,
  policy: RunSettings,
): Target & { finding: Finding } {
  const { provider, baseUrl, apiKeyHelper, idOf } = modelSettings(environment, policy)
  const model = idOf((flags['model'] as string | undefined) ?? policy.model ?? 'default')
  const hasHelper = apiKeyHelper !== undefined
  const said = (detail: string): Finding => ({ name: 'model', level: 'ok', detail: `${model} of ${detail}` })
  if (provider === 'anthropic') {
    const url = baseUrl ?? DEFAULT_BASE_URL
    return { baseUrl: url, isApi: true, hasHelper, finding: said(`${PROVIDER_NAMES[provider]} at ${url}`) }
  }
  const cloud = openCloud(provider, { environment, checkout: [cwd], baseUrl })
  const detail = `${PROVIDER_NAMES[provider]} at ${cloud.baseURL}, with ${cloud.package}`
  return { baseUrl: cloud.baseURL, isApi: false, hasHelper, finding: said(detail) }
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
    const reason = error instanceof RunError ? error.reason : 'auth'
    return { finding: { name: 'key', level: 'error', detail: messageOf(error), reason }, value: undefined }
  }
}

/** Asks the API for its list of models, which costs nothing. A cloud only has to answer. */
export async function checkEndpoint(io: ProcessIo, key: string | undefined, target: Target): Promise<Finding> {
  const { baseUrl: base, isApi } = target
  const name = 'endpoint'
  try {
    const proxy = io.environment['HTTPS_PROXY'] || io.environment['HTTP_PROXY'] || undefined
    const ask = createGuardedFetch({ proxy, allowPrivate: () => true })
    const custom = isApi ? gatewayHeaders(io.environment['ANTHROPIC_CUSTOM_HEADERS']) : {}
    const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const headers = { 'anthropic-version': '2023-06-01', ...bearer, ...custom }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const { status } = await ask(isApi ? `${base.replace(/\/+$/, '')}/v1/models?limit=1` : base, { headers, signal })
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
  }
}

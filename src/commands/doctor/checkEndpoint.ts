import type { FlagValues } from '../../config/parseArguments.ts'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { createGuardedFetch } from '../../lib/net/createGuardedFetch.ts'
import { DEFAULT_BASE_URL } from '../../model/createAnthropicClient.ts'
import { readApiKey } from '../../sandbox/environment/readApiKey.ts'
import type { Finding } from './Finding.ts'

const PATIENCE_MS = 15_000
const VARIABLE = 'ANTHROPIC_API_KEY'

/** The key as a run would read it. The finding never contains the key. */
export async function readKey(
  io: ProcessIo,
  flags: FlagValues,
): Promise<{ readonly finding: Finding; readonly value: string | undefined }> {
  const file = flags['api-key-file'] as string | undefined
  const value = io.environment[VARIABLE]
  try {
    const key = await readApiKey({ file, variable: value === undefined ? undefined : { name: VARIABLE, value } })
    if (key !== undefined)
      return { finding: { name: 'key', level: 'ok', detail: `from ${file ?? VARIABLE}` }, value: key }
    const detail = `not found: set ${VARIABLE}, or use --api-key-file. --replay needs no key.`
    return { finding: { name: 'key', level: 'error', detail, reason: 'auth' }, value: undefined }
  } catch (error) {
    const reason = error instanceof RunError ? error.reason : 'auth'
    return { finding: { name: 'key', level: 'error', detail: messageOf(error), reason }, value: undefined }
  }
}

/** Asks the API for its list of models, which costs nothing. */
export async function checkEndpoint(io: ProcessIo, key: string | undefined): Promise<Finding> {
  const base = io.environment['ANTHROPIC_BASE_URL'] || DEFAULT_BASE_URL
  const name = 'endpoint'
  try {
    const proxy = io.environment['HTTPS_PROXY'] || io.environment['HTTP_PROXY'] || undefined
    const ask = createGuardedFetch({ proxy, allowPrivate: () => true })
    const headers = { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const { status } = await ask(`${base.replace(/\/+$/, '')}/v1/models?limit=1`, { headers, signal })
    const isRefused = status === 401 || status === 403
    if (isRefused && key !== undefined)
      return { name, level: 'error', detail: `${base} answers, but rejects the key (HTTP ${status})`, reason: 'auth' }
    const isGood = status < 400 || isRefused
    const detail = `${base} answers${isGood ? '' : ` with HTTP ${status}; a gateway may have no list of models`}`
    return { name, level: isGood ? 'ok' : 'warning', detail }
  } catch (error) {
    const detail = `${base} does not answer: ${messageOf(error)}. Behind a proxy, set HTTPS_PROXY and NODE_EXTRA_CA_CERTS.`
    return { name, level: 'error', detail, reason: 'api_unavailable' }
  }
}

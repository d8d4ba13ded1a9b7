import type { Dispatcher } from 'undici'
import { messageOf } from '../../contracts/errors.ts'
import type { NetworkAccess, NetworkRequest, NetworkResponse } from '../../contracts/network.ts'
import { once } from '../async/once.ts'
import { checkUrl, type NetworkGuard } from './checkUrl.ts'
import { NetworkRefusal } from './createAddressGuard.ts'
import { createDispatcher } from './createDispatcher.ts'
import { readBody } from './readBody.ts'

const MAX_BYTES = 5 * 1024 * 1024
const MAX_MS = 30_000
/** Set by the connection itself: RFC 9110, section 7.6.1, and what a proxy would act on. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*)$/i

/**
 * The network for in-process tools: one request to a public address by http or https, without secrets in it. At most 5
 * MiB of decoded body, 100 times the compressed size, within 30 seconds. Throws `NetworkRefusal`, or an Error with a
 * message for the model.
 */
export function createNetworkAccess(guard: NetworkGuard): NetworkAccess {
  const dispatcher = once(() => createDispatcher(guard))
  return {
    async fetch(address, request) {
      const timer = AbortSignal.timeout(Math.max(Math.min(request.timeoutMs, MAX_MS), 1))
      const signal = AbortSignal.any([request.signal, timer])
      try {
        const url = checkUrl(address, guard)
        checkSecrets(guard, address, request)
        return await exchange(url, { ...request, signal }, await dispatcher())
      } catch (error) {
        if (error instanceof NetworkRefusal) throw error
        if (timer.aborted)
          throw new NetworkRefusal('timeout', `${address} did not answer in full within the time limit`)
        throw new Error(`${address} cannot be fetched: ${messageOf(error)}`, { cause: error })
      }
    },
  }
}

/** Checks every spelling that the receiver would see: as given, decoded, and the host name without dots. */
function checkSecrets({ containsSecret }: NetworkGuard, address: string, { headers = {}, body = '' }: NetworkRequest) {
  if (containsSecret === undefined) return
  const { href, hostname } = new URL(address)
  const spellings = [address, href, decode(address), decode(href), hostname.replaceAll('.', ''), body]
  if ([...spellings, ...Object.entries(headers).flat()].some(containsSecret)) {
    throw new NetworkRefusal('secret', `the request to ${hostname} holds a secret of this run; it was not sent`)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

async function exchange(url: URL, request: NetworkRequest, dispatcher: Dispatcher): Promise<NetworkResponse> {
  const { request: send } = await import('./undici.ts')
  const given = Object.entries(request.headers ?? {}).filter(([name]) => !OWN_HEADERS.test(name))
  const answer = await send(url, {
    dispatcher,
    method: request.method ?? 'GET',
    headers: { 'user-agent': 'kode-run', ...Object.fromEntries(given), 'accept-encoding': 'gzip, deflate, br' },
    body: request.body ?? null,
    signal: request.signal,
    reset: true,
  })
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  )
  const maxBytes = Math.min(request.maxBytes, MAX_BYTES)
  const body = await readBody(answer.body, { encoding: headers['content-encoding'] ?? '', maxBytes })
  return { status: answer.statusCode, headers, ...body }
}

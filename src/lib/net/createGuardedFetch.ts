import { once } from '../memoize.ts'
import { checkUrl, type NetworkGuard, NetworkRefusal } from './createAddressGuard.ts'
import { createDispatcher } from './createDispatcher.ts'

/**
 * A `fetch` with the same address guard, for servers that the operator configured. Streams stay streams, limits and
 * timers are up to the caller, and redirects are returned. Throws like `fetch`, with the reason in `cause`.
 */
export function createGuardedFetch(guard: NetworkGuard): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const dispatcher = once(() => createDispatcher(guard))
  return async (address, init = {}) => {
    const url = checkUrl(String(address), guard)
    const { fetch, Headers } = await import('./undici.ts')
    const headers = new Headers([...new globalThis.Headers(init.headers)])
    headers.set('accept-encoding', 'identity')
    const options = { ...init, headers, redirect: 'manual', dispatcher: await dispatcher() } as Parameters<
      typeof fetch
    >[1]
    const response = await fetch(url, options)
    const encoding = response.headers.get('content-encoding') ?? 'identity'
    if (encoding === 'identity') return response as unknown as Response
    await response.body?.cancel()
    throw new NetworkRefusal('size', `${url.host} sent a compressed answer that was not asked for`)
  }
}

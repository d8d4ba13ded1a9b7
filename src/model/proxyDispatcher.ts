import type { Dispatcher } from 'undici'
import { RunError } from '../contracts/errors.ts'

/** The operator's proxy variables, as found in the environment. */
export type ProxySettings = {
  readonly httpProxy?: string | undefined
  readonly httpsProxy?: string | undefined
  readonly noProxy?: string | undefined
}

/** The proxy that requests to the URL go through, without its credentials; undefined for none. */
export function proxyNameFor(url: string, settings: ProxySettings): string | undefined {
  const proxy = new URL(url).protocol === 'https:' ? (settings.httpsProxy ?? settings.httpProxy) : settings.httpProxy
  if (proxy === undefined || proxy === '') return undefined
  if (!URL.canParse(proxy)) throw new RunError('config', 'the proxy variable (HTTPS_PROXY or HTTP_PROXY) is not a URL')
  const { protocol, host } = new URL(proxy)
  return `${protocol}//${host}`
}

/** What `fetch` needs to use the proxy; Node's own `fetch` ignores the variables. Loads undici, so only where one is set. */
export async function proxyDispatcher(settings: ProxySettings): Promise<Dispatcher> {
  const { EnvHttpProxyAgent } = await import('../lib/undici.ts')
  return new EnvHttpProxyAgent({
    httpProxy: settings.httpProxy ?? '',
    httpsProxy: settings.httpsProxy ?? settings.httpProxy ?? '',
    noProxy: settings.noProxy ?? '',
  })
}

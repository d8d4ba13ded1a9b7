import type { Dispatcher } from 'undici'
import { RunError } from '../contracts/errors.ts'
import { parseUrl } from '../lib/net/parseUrl.ts'
import type { ProxySettings } from './AnthropicOptions.ts'

/** The proxy for requests to the URL, without its credentials; undefined without a proxy. */
export function proxyNameFor(url: string, settings: ProxySettings): string | undefined {
  const proxy = new URL(url).protocol === 'https:' ? (settings.httpsProxy ?? settings.httpProxy) : settings.httpProxy
  if (proxy === undefined || proxy === '') return undefined
  const parsed = parseUrl(proxy)
  if (parsed === undefined) throw new RunError('config', 'the proxy variable (HTTPS_PROXY or HTTP_PROXY) is not a URL')
  if (!/^https?:$/.test(parsed.protocol)) {
    const what = `the proxy variable (HTTPS_PROXY or HTTP_PROXY) names a proxy of the kind ${parsed.protocol}//`
    throw new RunError('config', `${what}, which is not supported: name an http:// or https:// proxy`)
  }
  return `${parsed.protocol}//${parsed.host}`
}

/**
 * What `fetch` needs to use the proxy, because Node's own `fetch` ignores the variables. Loads undici only if one is
 * set.
 */
export async function proxyDispatcher(settings: ProxySettings): Promise<Dispatcher> {
  const { EnvHttpProxyAgent } = await import('../lib/net/undici.ts')
  return new EnvHttpProxyAgent({
    httpProxy: settings.httpProxy ?? '',
    httpsProxy: settings.httpsProxy ?? settings.httpProxy ?? '',
    noProxy: settings.noProxy ?? '',
  })
}

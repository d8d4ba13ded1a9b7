import { BlockList, isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { RunError } from '../contracts/errors.ts'
import { parseUrl } from '../lib/net/parseUrl.ts'
import type { ProxySettings } from './AnthropicOptions.ts'

/** The proxy for requests to the URL, without its credentials; undefined without a proxy. */
export function proxyNameFor(url: string, settings: ProxySettings): string | undefined {
  if (isInRange(new URL(url).hostname, settings.noProxy ?? '')) return undefined
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

/** True for an address that a range of `NO_PROXY` holds (`10.0.0.0/8`), which undici does not know. */
function isInRange(host: string, noProxy: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  if (version === 0) return false
  const ranges = new BlockList()
  for (const [, start = '', bits = ''] of noProxy.matchAll(
    /(?<=^|[\s,])([\d.]+|[\da-fA-F:.]+)\/(\d{1,3})(?=[\s,]|$)/g,
  )) {
    const kind = isIP(start)
    if (kind !== 0 && Number(bits) <= (kind === 4 ? 32 : 128))
      ranges.addSubnet(start, Number(bits), kind === 4 ? 'ipv4' : 'ipv6')
  }
  return ranges.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** What `fetch` needs to trust these certificates besides Node's own. Loads undici. */
export async function trustingDispatcher(ca: readonly string[]): Promise<Dispatcher> {
  const { Agent } = await import('../lib/net/undici.ts')
  return new Agent({ connect: { ca: [...ca] } })
}

/**
 * What `fetch` needs to use the proxy, because Node's own `fetch` ignores the variables. Loads undici only if one is
 * set.
 */
export async function proxyDispatcher(settings: ProxySettings, ca?: readonly string[]): Promise<Dispatcher> {
  const { EnvHttpProxyAgent } = await import('../lib/net/undici.ts')
  return new EnvHttpProxyAgent({
    ...(ca !== undefined && { requestTls: { ca: [...ca] }, proxyTls: { ca: [...ca] }, connect: { ca: [...ca] } }),
    httpProxy: settings.httpProxy ?? '',
    httpsProxy: settings.httpsProxy ?? settings.httpProxy ?? '',
    noProxy: settings.noProxy ?? '',
  })
}

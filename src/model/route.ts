import { constants, readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Dispatcher } from 'undici'
import { RunError } from '../contracts/errors.ts'
import { canAccess } from '../lib/fs/atPath.ts'
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

/** How requests to the API leave this machine: the operator's proxy, and the certificates to trust. */
export type Route = { readonly proxy: ProxySettings; readonly trusted: (() => readonly string[]) | undefined }

/**
 * The route that the variables name. The certificates are those of `SSL_CERT_FILE`, which Node does not read, besides
 * Node's own. Throws `config` for a file of `SSL_CERT_FILE` or `NODE_EXTRA_CA_CERTS` that cannot be read: Node passes
 * over that in silence.
 */
export function readRoute(environment: Readonly<Record<string, string | undefined>>): Route {
  const { SSL_CERT_FILE: file = '', NODE_EXTRA_CA_CERTS: extra = '' } = environment
  for (const [name, path] of Object.entries({ SSL_CERT_FILE: file, NODE_EXTRA_CA_CERTS: extra }))
    if (path !== '' && !canAccess(path, constants.R_OK))
      throw new RunError('config', `${name} names ${path}, which cannot be read`)
  const paths = [file, extra].filter((path) => path !== '')
  const trusted = () => [...rootCertificates, ...paths.map((path) => readFileSync(path, 'utf8'))]
  const proxy = (name: string) => (environment[name] ?? environment[name.toLowerCase()])?.trim()
  return {
    proxy: { httpProxy: proxy('HTTP_PROXY'), httpsProxy: proxy('HTTPS_PROXY'), noProxy: proxy('NO_PROXY') },
    trusted: file === '' ? undefined : trusted,
  }
}

/** What `fetch` needs for this route to the URL; undefined if nothing. Loads undici only then. */
export async function openRoute(url: string, { proxy, trusted }: Route): Promise<Dispatcher | undefined> {
  const ca = trusted?.()
  const isProxied = proxyNameFor(url, proxy) !== undefined
  if (!isProxied && ca === undefined) return undefined
  const { Agent, EnvHttpProxyAgent } = await import('../lib/net/undici.ts')
  const tls = ca && { ca: [...ca] }
  if (!isProxied) return new Agent({ ...(tls && { connect: tls }) })
  return new EnvHttpProxyAgent({
    ...(tls && { requestTls: tls, proxyTls: tls, connect: tls }),
    httpProxy: proxy.httpProxy ?? '',
    httpsProxy: proxy.httpsProxy ?? proxy.httpProxy ?? '',
    noProxy: proxy.noProxy ?? '',
  })
}

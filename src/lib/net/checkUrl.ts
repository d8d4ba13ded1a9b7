import { type AddressGuardOptions, createAddressGuard, NetworkRefusal } from './createAddressGuard.ts'
import { parseUrl } from './parseUrl.ts'

/** Ports of services that do not speak HTTP but could react to it, above the ports that are refused anyway. */
const FOREIGN_PORTS = [1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 11211, 27017]

export type NetworkGuard = AddressGuardOptions & {
  /** True for a text that contains a secret in any form: such a request is refused. */
  readonly containsSecret?: (text: string) => boolean
  /** The operator's proxy, never a repository's. It resolves names. If it is down, nothing bypasses it. */
  readonly proxy?: string | undefined
}

/** The parsed address; throws if it may never be fetched. */
export function checkUrl(address: string, guard: NetworkGuard): URL {
  const url = parseUrl(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new NetworkRefusal('url', `${address} is not an http or https address`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new NetworkRefusal('url', `${url.host}: an address must not hold a user name or a password`)
  }
  createAddressGuard(guard).checkHost(url.hostname)
  const port = Number(url.port || 80)
  const isUsual = port === 80 || port === 443 || (port >= 1024 && !FOREIGN_PORTS.includes(port))
  if (!isUsual && guard.allowPrivate?.(url.hostname) !== true) {
    throw new NetworkRefusal('url', `${url.host}: port ${port} is not a port for web pages`)
  }
  return url
}

import { type AddressGuardOptions, createAddressGuard, NetworkRefusal } from './createAddressGuard.ts'

/** Services that speak no HTTP and could be made to act by it, above the ports that are refused anyway. */
const FOREIGN_PORTS = [1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 11211, 27017]

export type NetworkGuard = AddressGuardOptions & {
  /** True for a text that holds a secret in any form: a request that carries one is refused. */
  readonly containsSecret?: (text: string) => boolean
  /** The operator's proxy, never a repository's. It resolves names, and where it is down nothing goes around it. */
  readonly proxy?: string | undefined
}

/** The parsed address; throws where it is not one that may be fetched at all. */
export function checkUrl(address: string, guard: NetworkGuard): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new NetworkRefusal('url', `${address} is not an http or https address`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new NetworkRefusal('url', `${url.host}: an address must not hold a user name or a password`)
  }
  createAddressGuard(guard).checkHost(url.hostname)
  const port = Number(url.port || 80)
  const isUsual = url.port === '' || port === 80 || port === 443 || (port >= 1024 && !FOREIGN_PORTS.includes(port))
  if (!isUsual && guard.allowPrivate?.(url.hostname) !== true) {
    throw new NetworkRefusal('url', `${url.host}: port ${port} is not one for web pages`)
  }
  return url
}

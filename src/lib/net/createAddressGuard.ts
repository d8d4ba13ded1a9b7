import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseUrl } from './parseUrl.ts'

/** A request that was refused or ended to protect the machine, the run or its secrets; the message is for the model. */
export class NetworkRefusal extends Error {
  override readonly name = 'NetworkRefusal'
  readonly code: 'address' | 'url' | 'secret' | 'redirect' | 'size' | 'timeout' | 'rule'
  constructor(code: NetworkRefusal['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export type AddressGuardOptions = {
  /** Hosts, as in a URL, that may have internal addresses because a rule names them. None by default. */
  readonly allowPrivate?: ((host: string) => boolean) | undefined
  /** All addresses of a name; by default from the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly LookupAddress[]>) | undefined
}

/** Blocks internal addresses: as a literal, at each lookup, and for the connected socket. */
export type AddressGuard = ReturnType<typeof createAddressGuard>

/** Names that resolve without public DNS, or to a cloud's metadata service. */
const INTERNAL_NAME =
  /^(?:[^.]+|(?:.*\.)?(?:localhost|local|internal|intranet|corp|lan|home\.arpa|localdomain|svc|consul))$/

/** In a public range, but every Azure virtual machine reaches its host there, including GitHub runners. */
const HOST_OF_AZURE = '168.63.129.16'

/** True only for addresses of the public internet: no loopback, private, link-local, shared, mapped or reserved one. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || parsed.toString() === HOST_OF_AZURE) return false
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === GLOBAL_UNICAST
}

/** The first three bits of 2000::/3, everything that IANA has assigned: RFC 4291, section 2.4. */
const GLOBAL_UNICAST = 0b001

/** A guard that allows only public addresses and what `allowPrivate` permits. */
export function createAddressGuard(options: AddressGuardOptions = {}) {
  const mayBePrivate = (host: string) => options.allowPrivate?.(bare(host)) === true
  const check = (host: string, address: string | undefined) => {
    if (address !== undefined && (isPublicAddress(address) || mayBePrivate(host))) return
    const shown = address === undefined || address === bare(host) ? '' : ` (${address})`
    throw new NetworkRefusal('address', `${bare(host)}${shown} is not an address of the public internet`)
  }
  const resolve = async (host: string) => {
    const addresses = await (options.resolve?.(host) ?? systemLookup(host, { all: true }))
    for (const { address } of addresses) check(host, address)
    if (addresses.length === 0) throw new NetworkRefusal('address', `${host} has no address`)
    return addresses
  }
  const lookup: LookupFunction = (host, { all, family }, callback) => {
    const wanted = family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : 0
    resolve(host).then(
      (addresses) => {
        const [first, ...rest] = addresses.filter((entry) => wanted === 0 || entry.family === wanted)
        if (first === undefined) callback(new Error(`${host} has no address of family ${wanted}`), '')
        else if (all === true) callback(null, [first, ...rest])
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
  return {
    /** Throws for a forbidden address literal, or a name that always means this machine or its cloud. */
    checkHost(host: string) {
      const name = bare(host)
      if (isIP(name) !== 0) check(host, name)
      else if (INTERNAL_NAME.test(name) && !mayBePrivate(host)) {
        throw new NetworkRefusal('address', `${name} is not a name of the public internet`)
      }
    },
    /** The addresses of a host. Throws if any of them is internal. */
    resolve,
    /** The same for `net.connect`, which calls it for names only, never for literals. */
    lookup,
    /** Throws if a socket is not connected to a public address. */
    checkSocket: (host: string, socket: Pick<Socket, 'remoteAddress'>) => check(host, socket.remoteAddress),
  }
}

/** As in a rule: without the brackets of an IPv6 literal and without the dot of the root, in lower case. */
function bare(host: string): string {
  return host.replace(/[[\]]/g, '').replace(/\.$/, '').toLowerCase()
}

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

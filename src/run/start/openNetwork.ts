import type { NetworkAccess } from '../../contracts/network.ts'
import { createGuardedFetch } from '../../lib/net/createGuardedFetch.ts'
import { createNetworkAccess } from '../../lib/net/createNetworkAccess.ts'
import { parseUrl } from '../../lib/net/parseUrl.ts'
import type { Redactor } from '../../lib/secrets/redact.ts'
import type { Policy } from '../../policy/Policy.ts'
import type { RunRequest } from '../RunRequest.ts'

/** The ways to the network that are open to the run besides its model. */
export type RunNetwork = {
  /** For tools: every host was allowed by a rule; internal addresses only where a rule spells the host. */
  readonly access: NetworkAccess
  /** For what the policy names itself: `http` hooks and HTTP MCP servers, inside addresses too. */
  fetchOwn(url: string | URL, init?: RequestInit): Promise<Response>
  /** For what the checkout names: inside addresses only on this machine, and where a rule spells the host. */
  fetchForProject(url: string | URL, init?: RequestInit): Promise<Response>
}

/** All of them behind the address guard and the operator's proxy. */
export function openNetwork({ environment, policy }: RunRequest, redactor: Redactor): RunNetwork {
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
    .map((name) => environment[name])
    .find(Boolean)
  const named = namedHosts(policy)
  const guard = { proxy, containsSecret: redactor.contains }
  const tools = createNetworkAccess({ ...guard, allowPrivate: (host) => named.has(host) })
  const search = createNetworkAccess({ ...guard, allowPrivate: () => true })
  const { searchEndpoint } = policy.settings.run
  return {
    access: { fetch: (url, init) => (isSearch(url, searchEndpoint) ? search : tools).fetch(url, init) },
    fetchOwn: createGuardedFetch({ proxy, allowPrivate: () => true }),
    fetchForProject: createGuardedFetch({ proxy, allowPrivate: (host) => named.has(host) || isLoopback(host) }),
  }
}

/** The policy names its search service itself: that address, with whatever query, may be an inside one. */
function isSearch(address: string, endpoint: string | undefined): boolean {
  const asked = parseUrl(address)
  if (endpoint === undefined || asked === undefined) return false
  const named = new URL(endpoint)
  return asked.origin === named.origin && asked.pathname === named.pathname
}

/** This machine: where the services of a CI job listen. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]' || host === '::1'
}

/** Hosts that an allow rule spells in full. */
function namedHosts({ rules }: Policy): ReadonlySet<string> {
  const patterns = rules.flatMap(({ list, target }) =>
    list === 'allow' && target.kind === 'domain' ? [target.pattern] : [],
  )
  return new Set(patterns.filter((pattern) => !pattern.includes('*')))
}

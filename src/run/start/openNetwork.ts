import type { NetworkAccess } from '../../contracts/network.ts'
import { operatorProxy } from '../../lib/net/createDispatcher.ts'
import { createGuardedFetch } from '../../lib/net/createGuardedFetch.ts'
import { createNetworkAccess } from '../../lib/net/createNetworkAccess.ts'
import { parseUrl } from '../../lib/net/parseUrl.ts'
import type { Redactor } from '../../lib/secrets/redact.ts'
import type { Policy } from '../../policy/Policy.ts'
import type { RunRequest } from '../RunRequest.ts'

/** The network access of the run, apart from its model. */
export type RunNetwork = Readonly<ReturnType<typeof openNetwork>>

export function openNetwork({ environment, policy }: RunRequest, redactor: Redactor) {
  const proxy = operatorProxy(environment)
  const named = namedHosts(policy)
  const guard = { proxy, containsSecret: redactor.contains }
  const tools = createNetworkAccess({ ...guard, allowPrivate: (host) => named.has(host) })
  const search = createNetworkAccess({ ...guard, allowPrivate: () => true })
  const { searchEndpoint } = policy.settings.run
  const access: NetworkAccess = {
    fetch: (url, init) => (isSearch(url, searchEndpoint) ? search : tools).fetch(url, init),
  }
  return {
    /** For tools: every host needs an allow rule; internal addresses need a rule that names the host in full. */
    access,
    /** For `http` hooks and HTTP MCP servers of the policy; may reach internal addresses. */
    fetchOwn: createGuardedFetch({ proxy, allowPrivate: () => true }),
    /** For those of the checkout: internal addresses only on this machine, or if a rule names the host in full. */
    fetchForProject: createGuardedFetch({ proxy, allowPrivate: (host) => named.has(host) || LOOPBACK.includes(host) }),
  }
}

/** True for the search service that the policy names. It may be an internal address, with any query. */
function isSearch(address: string, endpoint: string | undefined): boolean {
  const asked = parseUrl(address)
  if (endpoint === undefined || asked === undefined) return false
  const named = new URL(endpoint)
  return asked.origin === named.origin && asked.pathname === named.pathname
}

/** This machine, where the services of a CI job listen. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::1']

function namedHosts({ rules }: Policy): ReadonlySet<string> {
  const patterns = rules.flatMap(({ list, target }) =>
    list === 'allow' && target.kind === 'domain' ? [target.pattern] : [],
  )
  return new Set(patterns.filter((pattern) => !pattern.includes('*')))
}

import type { buildConnector, Dispatcher } from 'undici'
import { type AddressGuard, type AddressGuardOptions, createAddressGuard } from './createAddressGuard.ts'

const CONNECT_MS = 10_000
/** Limits after the connection are up to the caller. */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 }

/** The dispatcher for undici: only to checked addresses, or only through the operator's proxy. Reads no environment. */
export async function createDispatcher(
  guard: AddressGuardOptions & { readonly proxy?: string | undefined },
): Promise<Dispatcher> {
  const { Agent, ProxyAgent, buildConnector } = await import('./undici.ts')
  if (guard.proxy !== undefined) {
    return new ProxyAgent({ ...NO_LIMITS, uri: guard.proxy, proxyTls: { timeout: CONNECT_MS } })
  }
  const addresses = createAddressGuard(guard)
  const dial = buildConnector({ lookup: addresses.lookup, timeout: CONNECT_MS, allowH2: false })
  return new Agent({ ...NO_LIMITS, connect: guardConnector(dial, addresses) })
}

/** The proxy that the operator's variables name; undefined if none. */
export function operatorProxy(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].map((name) => environment[name]).find(Boolean)
}

/** `lookup` is not called for address literals, so they are checked here; the check of the connected socket decides. */
function guardConnector(dial: buildConnector.connector, guard: AddressGuard): buildConnector.connector {
  return (options, callback) => {
    const refusal = attempt(() => guard.checkHost(options.hostname))
    if (refusal !== undefined) return callback(refusal, null)
    dial(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      const late = attempt(() => guard.checkSocket(options.hostname, socket))
      if (late === undefined) return callback(null, socket)
      socket.destroy()
      callback(late, null)
    })
  }
}

function attempt(check: () => void): Error | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

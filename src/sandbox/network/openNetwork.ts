import { join } from 'node:path'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { Enforcement } from '../../contracts/events.ts'
import { hasAdminCapability } from '../bubblewrapArguments.ts'
import { createNetworkProxy } from './createNetworkProxy.ts'
import { openNetworkNamespace } from './openNetworkNamespace.ts'
import { type HostRule, parseHostRule } from './parseHostRule.ts'

/** Nothing listens there: port 9 is "discard", which no machine uses today. */
const CLOSED_DOOR = 'http://127.0.0.1:9'

export type NetworkMode = 'none' | 'allowlist' | 'open'

export type NetworkOptions = {
  readonly mode: NetworkMode
  readonly allow: readonly string[]
  /** Undefined without a sandbox. */
  readonly namespaces: Namespaces | undefined
  /** What the proxy refused, in words. */
  readonly onRefusal: (message: string) => void
}

/** What is needed to make a network for the run. */
export type Namespaces = {
  /** Absolute paths. */
  readonly bwrap: string
  readonly nsenter: string | undefined
  /** A folder that children do not see. */
  readonly scratch: string
  /** Starts a sandbox command through a prefix; returns why it fails, if it does. */
  readonly probe: (prefix: readonly string[]) => Promise<string | undefined>
}

/** How a command gets into the network of the run. */
export type NetworkEntry = {
  /** The command prefix that joins this network; empty if it is the machine's. */
  readonly prefix: readonly string[]
  /** True: every command has a separate network. */
  readonly isOffline: boolean
}

/** The network of a run's children. */
export type RunNetwork = NetworkEntry & {
  readonly mode: NetworkMode
  readonly state: Enforcement
  readonly detail: string
  /** Proxy variables. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

/**
 * One network for all children of a run, so that one command can reach a server that another started. It has no way out
 * (`none`), a proxy as the only way (`allowlist`), or it is the machine's own (`open`). Without namespaces, proxy
 * variables ask children to comply; the state is then `advisory`.
 */
export async function openNetwork(options: NetworkOptions): Promise<RunNetwork> {
  if (options.mode === 'open') return network({ mode: 'open', state: 'off', detail: 'open' })
  const rules = options.allow.map(ruleOf)
  if (options.namespaces === undefined) return advise(options, rules, 'there is no sandbox')
  try {
    return await enforce(options, options.namespaces, rules)
  } catch (error) {
    if (options.mode === 'allowlist') return advise(options, rules, messageOf(error))
    const detail = `no network, and none between commands (${messageOf(error)})`
    return network({ mode: 'none', state: 'enforced', detail, isOffline: true })
  }
}

async function enforce(
  { mode, onRefusal }: NetworkOptions,
  { bwrap, nsenter, scratch, probe }: Namespaces,
  rules: readonly HostRule[],
): Promise<RunNetwork> {
  if (nsenter === undefined) throw new Error('nsenter is missing: install the package util-linux')
  const socket = mode === 'allowlist' ? join(scratch, 'proxy.sock') : undefined
  const proxy =
    socket === undefined ? undefined : await createNetworkProxy({ rules, listen: { path: socket }, onRefusal })
  const holder = await openNetworkNamespace(bwrap, socket).catch(async (error: unknown) => {
    await proxy?.close()
    throw error
  })
  const close = async () => {
    holder.end()
    await proxy?.close()
  }
  const entered = hasAdminCapability() ? ['--net'] : ['--user', '--net', '--preserve-credentials']
  const prefix = [nsenter, '--target', String(holder.pid), ...entered, '--']
  const problem = await probe(prefix)
  if (problem !== undefined) {
    await close()
    throw new Error(problem)
  }
  const environment = holder.port === undefined ? {} : proxyVariables(`http://127.0.0.1:${holder.port}`)
  const detail = mode === 'none' ? 'no way out' : 'only the hosts of sandbox.allow'
  return network({ mode, state: 'enforced', detail, prefix, environment, close })
}

async function advise(options: NetworkOptions, rules: readonly HostRule[], why: string): Promise<RunNetwork> {
  const detail = `proxy variables only, which a program may ignore: ${why}`
  const { mode } = options
  if (mode === 'none') return network({ mode, state: 'advisory', detail, environment: proxyVariables(CLOSED_DOOR) })
  const listen = { host: '127.0.0.1', port: 0 } as const
  const proxy = await createNetworkProxy({ rules, listen, onRefusal: options.onRefusal })
  const environment = proxyVariables(`http://127.0.0.1:${proxy.port}`)
  return network({ mode, state: 'advisory', detail, environment, close: () => proxy.close() })
}

function network(parts: Pick<RunNetwork, 'mode' | 'state' | 'detail'> & Partial<RunNetwork>): RunNetwork {
  return { prefix: [], isOffline: false, environment: {}, close: () => Promise.resolve(), ...parts }
}

function ruleOf(text: string): HostRule {
  const rule = parseHostRule(text)
  if (rule !== undefined) return rule
  throw new RunError('config', `sandbox.allow: ${text} is not a host; write example.com, *.example.com or host:port`)
}

/** The spellings that curl, git, npm, pip, Go and Node (since 24) read. */
function proxyVariables(proxy: string): Record<string, string> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const direct = 'localhost,127.0.0.1,::1'
  const variables = Object.fromEntries(names.map((name) => [name, proxy]))
  return { ...variables, NO_PROXY: direct, no_proxy: direct, NODE_USE_ENV_PROXY: '1' }
}

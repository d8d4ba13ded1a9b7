import { dirname, join } from 'node:path'
import { atSnapshot } from '../../config/atSnapshot.ts'
import type { HookTable, McpServerSettings } from '../../contracts/settings.ts'
import { checkHooks } from '../../hooks/checkHooks.ts'
import type { Secret } from '../../lib/secrets/secretForms.ts'
import { secretsFromEnvironment } from '../../lib/secrets/secretsFromEnvironment.ts'
import type { CollectedServers } from '../../mcp/settings/collectServers.ts'
import { loadProjectHooks } from '../../policy/load/loadProjectHooks.ts'
import { childEnvironment } from '../../sandbox/environment/childEnvironment.ts'
import { hooksOf } from '../hooksOf.ts'
import type { RunRequest } from '../RunRequest.ts'

/** Hooks and servers of a run: read and checked, not started. */
export type Extensions = {
  readonly servers: CollectedServers
  /** `mcp.lock` beside the policy; it need not exist. */
  readonly lockFile: string | undefined
  /** The hooks of the policy and of the caller. */
  readonly hooks: HookTable
  /** The hooks of the checkout, if the policy enables them. */
  readonly projectHooks: HookTable
  /** Secrets in the server entries themselves. */
  readonly secrets: readonly Secret[]
  readonly warnings: readonly string[]
}

const NO_SERVERS: CollectedServers = { servers: {}, fromProject: new Set() }

/**
 * Loads hooks and servers of policy, flags and project. Throws `RunError('config')` for an unusable file, a hook
 * without its script, or an invalid entry.
 */
export async function loadExtensions(request: RunRequest): Promise<Extensions> {
  const { policy, config, environment, configRoot = config.cwd } = request
  const warnings: string[] = []
  const project = policy.settings.projectHooks ? await loadProjectHooks(configRoot) : { table: {}, warnings: [] }
  const options = { settings: policy.settings.env, workspace: config.cwd, secrets: [], credentials: [] }
  const env = childEnvironment(environment, options).environment
  const hooks = hooksOf(request)
  for (const table of [hooks, project.table]) checkHooks(table, { cwd: configRoot, env })
  const servers = await loadServers(request, (message) => void warnings.push(message))
  return {
    servers,
    lockFile: lockFileOf(request),
    hooks,
    projectHooks: project.table,
    secrets: Object.values(servers.servers).flatMap((server) => secretsOf(server, environment)),
    warnings: [...project.warnings, ...warnings],
  }
}

async function loadServers(
  { policy, config, mcpInstances = {}, configRoot = config.cwd }: RunRequest,
  warn: (message: string) => void,
): Promise<CollectedServers> {
  const { projectMcp, mcpServers } = policy.settings
  const instances = Object.entries(mcpInstances)
  if (!projectMcp && [...config.mcpConfigs, ...Object.keys(mcpServers), ...instances].length === 0) return NO_SERVERS
  const { collectServers } = await import('../../mcp/settings/collectServers.ts')
  const { checkSettings } = await import('../../mcp/settings/checkSettings.ts')
  const collected = await collectServers({
    own: mcpServers,
    projectFile: projectMcp ? join(configRoot, '.mcp.json') : undefined,
    configFiles: config.mcpConfigs,
    isStrict: config.strictMcpConfig,
    warn,
  })
  const own = Object.fromEntries(instances.map(([name, instance]) => [name, { type: 'sdk' as const, instance }]))
  const servers = { ...collected.servers, ...own }
  checkSettings(servers)
  return { servers, fromProject: new Set([...collected.fromProject].filter((name) => !Object.hasOwn(own, name))) }
}

/** `mcp.lock` beside the policy. */
function lockFileOf({ policy, config, configRoot: root, configTop: top = config.cwd }: RunRequest): string | undefined {
  const [file] = policy.files
  const place = root === undefined ? undefined : { cwd: config.cwd, root, top }
  return file === undefined ? undefined : atSnapshot(join(dirname(file), 'mcp.lock'), place)
}

/** Secrets written in an entry, and that of its client. Others from the environment are already known. */
function secretsOf({ env = {}, headers = {}, oauth }: McpServerSettings, environment: RunRequest['environment']) {
  const named = [...Object.entries(env), ...Object.entries(headers).map(byVariableName)]
  const written = Object.fromEntries(named.filter(([, value]) => !value.includes('${')))
  const client = oauth?.clientSecret.slice(2, -1) ?? ''
  return [
    ...secretsFromEnvironment(written, []),
    ...secretsFromEnvironment({ [client]: environment[client] }, [client]),
  ]
}

/** `X-Api-Key` as `X_API_KEY`, and the token of an `Authorization` without its scheme. */
function byVariableName([name, value]: readonly [string, string]): readonly [string, string] {
  if (/^authorization$/i.test(name)) return ['AUTHORIZATION_TOKEN', value.replace(/^\S+ +/, '')]
  return [name.replaceAll('-', '_'), value]
}

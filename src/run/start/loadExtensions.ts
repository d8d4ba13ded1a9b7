import { join } from 'node:path'
import type { InitEvent } from '../../contracts/events.ts'
import type { Plugin } from '../../contracts/plugins.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'
import { checkHooks } from '../../hooks/checkHooks.ts'
import { secretsFromEnvironment } from '../../lib/secrets/secretsFromEnvironment.ts'
import type { CollectedServers } from '../../mcp/settings/collectServers.ts'
import { loadProjectHooks } from '../../policy/load/loadProjectHooks.ts'
import { childEnvironment } from '../../sandbox/environment/childEnvironment.ts'
import { hooksOf, joinHooks } from '../hooksOf.ts'
import type { RunRequest } from '../RunRequest.ts'
import type { OpenedPlugins } from './loadPlugins.ts'

/** Hooks and servers of a run: read and checked, not started. */
export type Extensions = Awaited<ReturnType<typeof loadExtensions>>

const NO_SERVERS: CollectedServers = { servers: {}, fromProject: new Set() }

/** Loads hooks and servers. Throws `RunError('config')` for an unusable file or hook, or an invalid entry. */
export async function loadExtensions(request: RunRequest, plugins: OpenedPlugins) {
  const { policy, config, environment, configRoot = config.cwd } = request
  const warnings: string[] = []
  const project = policy.settings.projectHooks ? await loadProjectHooks(configRoot) : { table: {}, warnings: [] }
  const options = { settings: policy.settings.env, workspace: config.cwd, secrets: [], credentials: [] }
  const env = childEnvironment(environment, options).environment
  const hooks = joinHooks(hooksOf(request), plugins.hooks)
  const projectHooks = joinHooks(project.table, plugins.projectHooks)
  for (const table of [hooks, projectHooks]) checkHooks(table, { cwd: configRoot, env })
  const servers = await loadServers(request, plugins.list, (message) => void warnings.push(message))
  return {
    servers,
    /** The hooks of the policy, of the caller, and of plugins outside the checkout. */
    hooks,
    /** The hooks of the checkout and of plugins in it, if the policy enables them. */
    projectHooks,
    secrets: Object.values(servers.servers).flatMap((server) => secretsOf(server, environment)),
    warnings: [...plugins.warnings, ...project.warnings, ...warnings],
  }
}

/** The plugins that policy and flags name, and their hooks. `before`: those of the run that is continued. */
export async function openNamedPlugins(request: RunRequest, before: InitEvent['plugins'] = []): Promise<OpenedPlugins> {
  const { policy, config } = request
  if (policy.settings.plugins.length + config.pluginDirs.length + before.length === 0) return NO_PLUGINS
  return (await import('./loadPlugins.ts')).loadPlugins(request, before)
}

const NO_PLUGINS: OpenedPlugins = {
  ...{ list: [], hooks: {}, projectHooks: {}, folder: undefined, protectedPaths: [], warnings: [] },
  close: () => undefined,
}

async function loadServers(
  { policy, config, mcpInstances = {}, configRoot = config.cwd }: RunRequest,
  plugins: readonly Plugin[],
  warn: (message: string) => void,
): Promise<CollectedServers> {
  const { projectMcp, mcpServers } = policy.settings
  const instances = Object.entries(mcpInstances)
  const named = [...config.mcpConfigs, ...Object.keys(mcpServers), ...instances]
  if (!projectMcp && named.length === 0 && plugins.every(({ servers }) => servers.length === 0)) return NO_SERVERS
  const { collectServers } = await import('../../mcp/settings/collectServers.ts')
  const { checkSettings } = await import('../../mcp/settings/checkSettings.ts')
  const collected = await collectServers({
    own: mcpServers,
    projectFile: projectMcp ? join(configRoot, '.mcp.json') : undefined,
    configFiles: config.mcpConfigs,
    plugins,
    isStrict: config.strictMcpConfig,
    warn,
  })
  const own = Object.fromEntries(instances.map(([name, instance]) => [name, { type: 'sdk' as const, instance }]))
  const servers = { ...collected.servers, ...own }
  checkSettings(servers)
  return { servers, fromProject: new Set([...collected.fromProject].filter((name) => !Object.hasOwn(own, name))) }
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

import { statSync } from 'node:fs'
import { RunError } from '../../contracts/errors.ts'
import type { Plugin } from '../../contracts/plugins.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'
import { readInputFile } from '../../lib/fs/readInputFile.ts'
import { isJson } from '../../lib/text/json.ts'
import { shownName } from './checkSettings.ts'
import { parseMcpConfig } from './parseMcpConfig.ts'

export type ServerSources = {
  readonly own: Readonly<Record<string, McpServerSettings>>
  /** The checkout's `.mcp.json`, if the policy enables it. It need not exist. */
  readonly projectFile: string | undefined
  /** `--mcp-config`: paths, or JSON texts. */
  readonly configFiles: readonly string[]
  /** Those of the checkout count only where `projectFile` does. */
  readonly plugins: readonly Plugin[]
  /** `--strict-mcp-config`: only the files of the flag. */
  readonly isStrict: boolean
  warn(message: string): void
}

export type CollectedServers = {
  readonly servers: Readonly<Record<string, McpServerSettings>>
  /** Names of the entries that the checkout brought. */
  readonly fromProject: ReadonlySet<string>
}

/** All entries by name: of the project (and plugins in it), then plugins, the policy, and last files of the flag. */
export async function collectServers(sources: ServerSources): Promise<CollectedServers> {
  const { own, projectFile, configFiles, isStrict } = sources
  const hasProject = !isStrict && projectFile !== undefined && isThere(projectFile)
  const project = hasProject ? { ...(await readServers(projectFile, sources)) } : {}
  const trusted: Record<string, McpServerSettings> = {}
  const owners = new Map<string, string>()
  for (const plugin of usablePlugins(sources)) {
    for (const [name, settings] of serversOf(plugin, sources)) {
      const owner = owners.get(name)
      // `a` with `b_c`, and `a_b` with `c`: a rule for one would cover the other.
      if (owner !== undefined)
        throw new RunError(
          'config',
          `The plugins ${owner} and ${plugin.name} both have a server ${name}; name one alone`,
        )
      owners.set(name, plugin.name)
      const into = plugin.isFromProject ? project : trusted
      into[name] = settings
    }
  }
  const servers: Record<string, McpServerSettings> = isStrict ? {} : { ...project, ...trusted, ...own }
  for (const file of configFiles) Object.assign(servers, await readServers(file, sources))
  const fromProject = Object.keys(project).filter((name) => servers[name] === project[name])
  return { servers, fromProject: new Set(fromProject) }
}

/** The plugins whose servers start; says of each other one why they do not. */
function usablePlugins({ plugins, projectFile, isStrict, warn }: ServerSources): readonly Plugin[] {
  return plugins.filter(({ name, isFromProject, servers }) => {
    if (servers.length === 0) return false
    if (isStrict) warn(`The MCP servers of the plugin ${name} do not start: --strict-mcp-config.`)
    else if (isFromProject && projectFile === undefined)
      warn(
        `The plugin ${name} lies in the checkout, so its MCP servers do not start; \`projectMcp: true\` in the policy lets them.`,
      )
    return !isStrict && (!isFromProject || projectFile !== undefined)
  })
}

/** A plugin's servers have its name in theirs, as in Claude Code: their tools are `mcp__plugin_NAME_SERVER__TOOL`. */
function serversOf({ name, root, servers }: Plugin, { warn }: ServerSources) {
  const entries = servers.flatMap(({ label, text }) => Object.entries(parseMcpConfig(text, label, warn)))
  return entries.map(([server, settings]) => {
    const env = { CLAUDE_PLUGIN_ROOT: root, ...settings.env }
    const placed = settings.command === undefined ? settings : { ...settings, env }
    return [shownName(`plugin_${name}_${server}`), placed] as const
  })
}

/** The run's sandbox puts an empty folder where no file may be created. */
function isThere(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && !stat.isDirectory()
}

async function readServers(file: string, { warn }: ServerSources): Promise<ServerSources['own']> {
  const options = { label: 'MCP servers in', reason: 'config', maxBytes: 1_000_000 } as const
  return isJson(file)
    ? parseMcpConfig(file, '--mcp-config', warn)
    : parseMcpConfig(await readInputFile(file, options), file, warn)
}

import { statSync } from 'node:fs'
import type { McpServerSettings } from '../contracts/settings.ts'
import { readInputFile } from '../lib/readInputFile.ts'
import { parseMcpConfig } from './parseMcpConfig.ts'

/** Where server entries come from. */
export type ServerSources = {
  /** The policy's own. */
  readonly own: Readonly<Record<string, McpServerSettings>>
  /** The checkout's `.mcp.json`, where the policy wants it. It need not exist. */
  readonly projectFile: string | undefined
  /** `--mcp-config`. */
  readonly configFiles: readonly string[]
  /** `--strict-mcp-config`: nothing but the files of the flag. */
  readonly isStrict: boolean
  warn(message: string): void
}

export type CollectedServers = {
  readonly servers: Readonly<Record<string, McpServerSettings>>
  /** Names of the entries that the checkout brought. */
  readonly fromProject: ReadonlySet<string>
}

/** All server entries by name. The policy replaces an entry of the project, a file of the flag one of either. */
export async function collectServers(sources: ServerSources): Promise<CollectedServers> {
  const { own, projectFile, configFiles, isStrict } = sources
  const hasProject = !isStrict && projectFile !== undefined && isThere(projectFile)
  const project = hasProject ? await readServers(projectFile, sources) : {}
  const servers: Record<string, McpServerSettings> = isStrict ? {} : { ...project, ...own }
  for (const file of configFiles) Object.assign(servers, await readServers(file, sources))
  const fromProject = Object.keys(project).filter((name) => servers[name] === project[name])
  return { servers, fromProject: new Set(fromProject) }
}

/** An empty folder is what a run's sandbox puts where no file may come to be. */
function isThere(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && !stat.isDirectory()
}

async function readServers(file: string, { warn }: ServerSources): Promise<ServerSources['own']> {
  const text = await readInputFile(file, { label: 'MCP servers in', reason: 'config', maxBytes: 1_000_000 })
  const { servers, warnings } = parseMcpConfig(text, file)
  for (const warning of warnings) warn(warning)
  return servers
}

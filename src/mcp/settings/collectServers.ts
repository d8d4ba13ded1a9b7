import { statSync } from 'node:fs'
import type { McpServerSettings } from '../../contracts/settings.ts'
import { readInputFile } from '../../lib/fs/readInputFile.ts'
import { isJson } from '../../lib/text/isJson.ts'
import { parseMcpConfig } from './parseMcpConfig.ts'

/** Where server entries come from. */
export type ServerSources = {
  /** The policy's own. */
  readonly own: Readonly<Record<string, McpServerSettings>>
  /** The checkout's `.mcp.json`, if the policy enables it. It need not exist. */
  readonly projectFile: string | undefined
  /** `--mcp-config`: paths, or JSON texts. */
  readonly configFiles: readonly string[]
  /** `--strict-mcp-config`: only the files of the flag. */
  readonly isStrict: boolean
  warn(message: string): void
}

export type CollectedServers = {
  readonly servers: Readonly<Record<string, McpServerSettings>>
  /** Names of the entries that the checkout brought. */
  readonly fromProject: ReadonlySet<string>
}

/** All server entries by name. The policy overrides the project; a file of the flag overrides both. */
export async function collectServers(sources: ServerSources): Promise<CollectedServers> {
  const { own, projectFile, configFiles, isStrict } = sources
  const hasProject = !isStrict && projectFile !== undefined && isThere(projectFile)
  const project = hasProject ? await readServers(projectFile, sources) : {}
  const servers: Record<string, McpServerSettings> = isStrict ? {} : { ...project, ...own }
  for (const file of configFiles) Object.assign(servers, await readServers(file, sources))
  const fromProject = Object.keys(project).filter((name) => servers[name] === project[name])
  return { servers, fromProject: new Set(fromProject) }
}

/** The run's sandbox puts an empty folder where no file may be created. */
function isThere(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && !stat.isDirectory()
}

async function readServers(file: string, { warn }: ServerSources): Promise<ServerSources['own']> {
  const options = { label: 'MCP servers in', reason: 'config', maxBytes: 1_000_000 } as const
  const isText = isJson(file)
  const text = isText ? file : await readInputFile(file, options)
  const { servers, warnings } = parseMcpConfig(text, isText ? '--mcp-config' : file)
  for (const warning of warnings) warn(warning)
  return servers
}

import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { FlagValues } from '../config/parseArguments.ts'
import { EXIT_CODES, RunError } from '../contracts/errors.ts'
import type { RunEvent } from '../contracts/events.ts'
import type { Plugins } from '../contracts/plugins.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { serverHelpers } from '../hooks/openHelper.ts'
import { ownedFolder } from '../lib/fs/ownedFolder.ts'
import { operatorProxy } from '../lib/net/createDispatcher.ts'
import { createGuardedFetch } from '../lib/net/createGuardedFetch.ts'
import { jsonOrFile } from '../lib/text/json.ts'
import { counted } from '../lib/text/words.ts'
import { tryServers } from '../mcp/connectServers.ts'
import { formatLock, loadLock, lockBeside } from '../mcp/McpLock.ts'
import type { McpServerState, McpServers } from '../mcp/McpServers.ts'
import { type CollectedServers, collectServers } from '../mcp/settings/collectServers.ts'
import { placeServers, type ServerPlace, serverWall, startsInside } from '../mcp/settings/placeServers.ts'
import type { Policy } from '../policy/Policy.ts'
import { encodeUntrusted, escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import { childPath } from '../sandbox/environment/childPath.ts'
import { openCommandPlugins } from './openCommandPlugins.ts'
import { openCommandSandbox } from './openCommandSandbox.ts'
import { loadCommandPolicy } from './policy/loadCommandPolicy.ts'
import type { CommandLine } from './runCommandLine.ts'

/**
 * `kode-run mcp`: starts every server of a policy, reports the state of each, and stops them all. `--lock` pins their
 * tools in `mcp.lock` beside the policy, but only if every server started. Exits with 69 if a required server did not
 * start.
 */
export async function listServers(io: ProcessIo, { flags }: CommandLine): Promise<number> {
  const policy = await loadCommandPolicy(io, flags)
  const named = (flags['plugin-dir'] as string[] | undefined)?.map((directory) => resolve(io.cwd, directory))
  const plugins = await openCommandPlugins(policy, named)
  try {
    return await listCollected(io, flags, policy, plugins)
  } finally {
    plugins.close()
  }
}

async function listCollected(io: ProcessIo, flags: FlagValues, policy: Policy, plugins: Plugins): Promise<number> {
  const { settings, cwd } = policy
  const notes = [...plugins.warnings]
  const warn = (message: string) => void notes.push(message)
  const roots = [cwd, ...settings.additionalDirectories]
  const place: ServerPlace = { roots, cwd, path: childPath(io.environment['PATH'], cwd), env: io.environment }
  const collected = await collectServers({
    own: settings.mcpServers,
    projectFile: settings.projectMcp ? join(cwd, '.mcp.json') : undefined,
    configFiles: ((flags['mcp-config'] as string[] | undefined) ?? []).map((text) => jsonOrFile(text, io.cwd)),
    isStrict: flags['strict-mcp-config'] === true,
    plugins: plugins.list,
    warn,
  })
  const [policyFile] = policy.files
  const lockFile = policyFile === undefined ? undefined : lockBeside(policyFile)
  const isLocking = flags['lock'] === true
  if (isLocking && lockFile === undefined)
    throw new RunError('usage', '--lock: name the policy that the lock is for (--policy).')
  const empty = ownedFolder(tmpdir(), 'kode-run-empty-')
  // The one that a run would have, if a server asks for it or comes from the checkout.
  const isWalled = Object.entries(collected.servers).some(
    ([name, server]) => server.sandbox === true || startsInside(name, server, place),
  )
  const readOnly = [plugins.folder ?? []].flat()
  const sandbox = isWalled ? await openCommandSandbox(io, policy, { readOnly }) : undefined
  try {
    const lock = isLocking || lockFile === undefined ? undefined : loadLock(lockFile)
    const wall = sandbox && serverWall(sandbox)
    const fetch = createGuardedFetch({ proxy: operatorProxy(io.environment), allowPrivate: () => true })
    const helpers = serverHelpers({ home: io.home, cwd, environment: io.environment, checkout: roots })
    const { servers, failure } = await tryServers({
      ...{ cwd, env: place.env, fetch, runHelper: helpers.own },
      servers: placeServers(collected.servers, { ...place, isWalled: wall !== undefined, warn, empty }),
      childEnv: { PATH: place.path },
      project: { names: collected.fromProject, env: place.env, fetch, runHelper: helpers.ofProject },
      ...(wall && { sandbox: wall }),
      ...(lock && { lock }),
      blobs: { put: () => '', owns: () => false },
      signal: new AbortController().signal,
      onEvent: (event) => notes.push(...timelineNote(event)),
    })
    try {
      if (flags['json'] === true) io.print(`${JSON.stringify(toJson(servers.states(), collected, notes), null, 2)}\n`)
      else io.print(toText(servers.states(), notes))
      if (isLocking) writeLock(io, lockFile ?? '', servers)
      else if (failure !== undefined) io.warn(encodeUntrusted(failure.message))
      return failure === undefined ? 0 : EXIT_CODES.mcp_unavailable.code
    } finally {
      await servers.close()
    }
  } finally {
    await sandbox?.close()
    rmSync(empty, { recursive: true, force: true })
  }
}

function timelineNote(event: RunEvent): string[] {
  if (event.type !== 'system') return []
  if (event.subtype === 'warning') return [event.message]
  return event.subtype === 'mcp_tools_changed' ? [`MCP server ${event.server}: ${event.detail}`] : []
}

function toJson(states: readonly McpServerState[], { servers }: CollectedServers, warnings: readonly string[]) {
  const listed = states.map(({ name, status, detail, startMs, tools }) => ({
    ...{ name, status, required: servers[name]?.required ?? true, start_ms: startMs, detail, tools },
  }))
  return { servers: listed, warnings }
}

function toText(states: readonly McpServerState[], notes: readonly string[]): string {
  const width = Math.max(...states.map(({ name }) => name.length))
  const lines = states.flatMap(({ name, status, startMs, tools, detail }) => [
    `${name.padEnd(width)}  ${status.padEnd(9)}  ${`${startMs} ms`.padStart(8)}  ${counted(tools.length, 'tool')}`,
    ...(detail === '' ? [] : [`  ${detail.replaceAll('\n', '\n  ')}`]),
    ...tools.map((tool) => `  ${tool}`),
  ])
  const none = states.length === 0 ? ['No MCP servers.'] : []
  const text = [...none, ...lines, ...notes.map((note) => `! ${note.replaceAll('\n', '\n  ')}`)].join('\n')
  return `${escapeWorkflowCommands(text)}\n`
}

function writeLock(io: ProcessIo, file: string, servers: McpServers): void {
  const failed = servers.states().filter(({ status }) => status !== 'connected')
  if (failed.length > 0) {
    const names = failed.map(({ name, detail }) => `${name} (${detail})`).join(', ')
    throw new RunError('mcp_unavailable', `--lock: ${file} was not written, because servers did not start: ${names}`)
  }
  writeFileSync(`${file}.new`, formatLock(servers.lock()))
  renameSync(`${file}.new`, file)
  io.warn(`wrote ${file}\n`)
}

import { dirname, join } from 'node:path'
import { atSnapshot } from '../../config/atSnapshot.ts'
import { type RunEvent, warning } from '../../contracts/events.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'
import type { Effects } from '../../effects/openEffects.ts'
import { serverHelpers } from '../../hooks/openHelper.ts'
import { connectServers } from '../../mcp/connectServers.ts'
import { loadLock } from '../../mcp/McpLock.ts'
import type { McpServers } from '../../mcp/McpServers.ts'
import type { CollectedServers } from '../../mcp/settings/collectServers.ts'
import { placeServers, serverWall } from '../../mcp/settings/placeServers.ts'
import { holdsAny, namesVariable } from '../../sandbox/environment/childEnvironment.ts'
import { COMMAND_MARKER, endMarked, RUN_MARKER } from '../../sandbox/integrity/endLeakedProcesses.ts'
import { credentialsOf, helperPlace, type RunRequest, workspacesOf } from '../RunRequest.ts'
import type { Session } from '../Session.ts'
import type { Children } from './openChildren.ts'

type ServerBase = Pick<Session, 'children' | 'transactions' | 'network' | 'redactor' | 'transcript' | 'runId'> &
  Pick<Session, 'place' | 'signal' | 'pending'> & { readonly request: RunRequest }

/**
 * Starts the MCP servers of policy, flags and project. Those that are programs on this machine may change the checkout,
 * so it is watched until they are closed. Undefined if there are none.
 */
export async function openServers(base: ServerBase, collected: CollectedServers): Promise<McpServers | undefined> {
  const start = () => startServers(base, collected)
  const hasProcesses = Object.values(collected.servers).some(({ command }) => command !== undefined)
  return hasProcesses ? watchServers(base.transactions.effects, start) : start()
}

async function startServers(base: ServerBase, collected: CollectedServers): Promise<McpServers | undefined> {
  const { request, children, network, place, runId, signal } = base
  const { sandbox } = children
  const workspaces = workspacesOf(request)
  const onEvent = (event: RunEvent) => void base.pending.push(event)
  const warn = (message: string) => onEvent(warning('mcp_config', message))
  const isEnforced = sandbox.state === 'enforced'
  const wall = serverWall(sandbox)
  const isWalled = wall !== undefined
  const { configRoot: cwd = request.config.cwd } = request
  const where = { roots: workspaces, cwd, path: children.environment['PATH'] ?? '', env: request.environment }
  const started = restrictServers(collected, request.trust, { isEnforced, isWalled, warn })
  const servers = placeServers(started, { ...where, isWalled, warn, empty: join(children.hookFolder, 'empty') })
  if (Object.keys(servers).length === 0) return undefined
  const lockFile = lockFileOf(request)
  const lock = lockFile === undefined ? undefined : loadLock(lockFile)
  const helpers = serverHelpers(helperPlace(request))
  const marker = `${runId}.servers`
  const connected = await connectServers({
    servers,
    project: {
      names: collected.fromProject,
      env: withoutKey(request),
      fetch: network.fetchForProject,
      runHelper: helpers.ofProject,
    },
    runHelper: helpers.own,
    learn: base.redactor.learn,
    roots: () => [place.cwd, ...workspaces.slice(1)],
    cwd,
    env: request.environment,
    childEnv: { ...policyVariables(request, children), [RUN_MARKER]: runId, [COMMAND_MARKER]: marker },
    fetch: network.fetchOwn,
    ...(wall !== undefined && { sandbox: wall }),
    blobs: base.transcript.blobs,
    ...(lock === undefined ? {} : { lock }),
    ...{ signal, onEvent },
  })
  // Their leftover processes may still write. Whoever reads the checkout afterwards must see the final state.
  let closing: Promise<unknown> | undefined
  const end = () => connected.close().finally(() => endMarked(COMMAND_MARKER, marker))
  return {
    ...connected,
    async close() {
      closing ??= end()
      await closing
    },
  }
}

/** The PATH of all children, and the variables of the policy's `env`. */
function policyVariables({ policy }: RunRequest, { environment }: Children): Readonly<Record<string, string>> {
  const { pass, secrets, set } = policy.settings.env
  const names = ['PATH', ...secrets, ...Object.keys(set)]
  const isPassed = namesVariable(pass)
  return Object.fromEntries(Object.entries(environment).filter(([name]) => names.includes(name) || isPassed(name)))
}

/** The variables that `${VAR}` in the checkout's `.mcp.json` may name: all but the run's own credentials. */
function withoutKey(request: RunRequest): RunRequest['environment'] {
  const own = credentialsOf(request)
  return Object.fromEntries(Object.entries(request.environment).filter(([, value = '']) => !holdsAny(value, own)))
}

/**
 * Servers of the checkout run in the sandbox, or behind Landlock. If outsiders may have influenced the event, every local
 * server runs in the sandbox or not at all: Landlock hides no secret of the project.
 */
export function restrictServers(
  { servers, fromProject }: CollectedServers,
  trust: RunRequest['trust'],
  { isEnforced, isWalled, warn }: { isEnforced: boolean; isWalled: boolean; warn: (message: string) => void },
): Readonly<Record<string, McpServerSettings>> {
  const kept: Record<string, McpServerSettings> = {}
  for (const [name, server] of Object.entries(servers)) {
    if (server.sandbox && isWalled && !isEnforced)
      warn(`${name} has sandbox: true and runs behind Landlock, ${NOT_HIDDEN}`)
    const isForeign = trust === 'untrusted' || fromProject.has(name)
    if (server.command === undefined || !isForeign) kept[name] = server
    else if (isEnforced || (isWalled && trust !== 'untrusted')) kept[name] = { ...server, sandbox: true }
    else if (trust !== 'untrusted') kept[name] = server
    else warn(`${name} was not started: the event is not trusted, and there is no sandbox to start it in`)
  }
  return kept
}

const NOT_HIDDEN = 'which hides no secret of the project: see docs/sandbox.md'

/** `mcp.lock` beside the policy; it need not exist. */
function lockFileOf({ policy, config, configRoot: root, configTop: top = config.cwd }: RunRequest): string | undefined {
  const [file] = policy.files
  const place = root === undefined ? undefined : { cwd: config.cwd, root, top }
  return file === undefined ? undefined : atSnapshot(join(dirname(file), 'mcp.lock'), place)
}

const WRITES = { access: 'direct', mayChangeGit: false, by: 'an MCP server' } as const

/**
 * Starts servers and watches the checkout until they are closed. Their changes are judged like those of commands, and
 * undone if no rule covers them.
 */
async function watchServers(
  effects: Pick<Effects, 'watch'>,
  start: () => Promise<McpServers | undefined>,
): Promise<McpServers | undefined> {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  await new Promise<void>((begun, failed) => {
    const launch = () => {
      begun()
      return ended
    }
    effects.watch(WRITES.by, WRITES, launch).catch(failed)
  })
  try {
    const servers = await start()
    if (servers === undefined) end()
    return servers && { ...servers, close: () => servers.close().finally(end) }
  } catch (error) {
    end()
    throw error
  }
}

import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import type { FlagValues } from '../config/parseArguments.ts'
import { resolveConfig } from '../config/resolveConfig.ts'
import type { SdkMcpServer } from '../contracts/callbacks.ts'
import { RunError } from '../contracts/errors.ts'
import type { ResultEvent, TranscriptRecord } from '../contracts/events.ts'
import { isObject } from '../lib/isObject.ts'
import { loadPolicy } from '../policy/load/loadPolicy.ts'
import type { Policy } from '../policy/Policy.ts'
import { findRun } from '../report/transcript/findRun.ts'
import { openStateFolder } from '../report/transcript/openStateFolder.ts'
import { type RunRequest, run as runRequest } from '../run/run.ts'
import { commandFiles } from '../sandbox/integrity/takeSnapshot.ts'
import { leaveSearchPath } from './leaveCheckout.ts'

/** The content of a policy file. It is checked like one. */
export type PolicyObject = { readonly version: 1; readonly [key: string]: unknown }

/** What a run needs. Everything but the prompt has a default, taken from this process. */
export type RunOptions = Partial<Omit<RunRequest, 'prompt' | 'policy' | 'mcpInstances'>> & {
  readonly prompt: string
  /** What `loadPolicy` returned, a policy file's path or content. Without one the agent can only read. */
  readonly policy?: Policy | PolicyObject | string | undefined
  /** The project root; the current folder by default. */
  readonly cwd?: string | undefined
  /** Flags of the command line by their names, with numbers for counts and milliseconds for times. */
  readonly flags?: FlagValues | undefined
  /** A run to continue: a session id, a run id, a transcript's path, or `last`. */
  readonly resume?: string | undefined
  /** True: the resumed run gets a session id of its own. */
  readonly forkSession?: boolean | undefined
  /** A UUID in lower case; by default a new one. */
  readonly sessionId?: string | undefined
  /** True: also `stream_event`s, the parts of each answer as they arrive. */
  readonly includePartialMessages?: boolean | undefined
  /** MCP servers in this process. The mcp rules of the policy judge their calls. */
  readonly mcpServers?: Readonly<Record<string, SdkMcpServer>> | undefined
}

/**
 * One run from start to end, as its events; the last is `result`. Throws `RunError` only before the first event. A
 * `signal` that aborts ends the run with the reason `aborted`.
 */
export async function* run(options: RunOptions): AsyncGenerator<TranscriptRecord, ResultEvent, undefined> {
  return yield* runRequest(await toRequest(options))
}

async function toRequest(options: RunOptions): Promise<RunRequest> {
  const { flags, resume, forkSession, sessionId, includePartialMessages, mcpServers, ...given } = options
  const { environment = process.env, home = homedir(), model } = options
  const cwd = options.config?.cwd ?? realpathSync(options.cwd ?? process.cwd())
  const { path: stateFolder, warnings } =
    options.stateFolder === undefined ? openStateFolder(environment, home) : { path: options.stateFolder, warnings: [] }
  const records = options.commandFiles ?? commandFiles(environment)
  const asked = { folder: cwd, stateFolder, cwd, asked: 'resume' }
  const all: FlagValues = {
    ...flags,
    ...(resume === undefined ? {} : { resume: await findRun(resume, asked) }),
    ...(forkSession === undefined ? {} : { 'fork-session': forkSession }),
    ...(sessionId === undefined ? {} : { 'session-id': sessionId }),
    ...(includePartialMessages === undefined ? {} : { 'include-partial-messages': includePartialMessages }),
  }
  const policy = await toPolicy(options, { cwd, home, untouchable: [stateFolder, ...records] })
  const config = options.config ?? resolveConfig(all, environment, policy.settings.run, cwd)
  if (config.provider !== 'anthropic')
    leaveSearchPath([cwd, ...config.addDirs, ...policy.settings.additionalDirectories])
  const isAsked = model === undefined && config.replay === undefined
  const apiKey = options.apiKey ?? (isAsked ? environment['ANTHROPIC_API_KEY'] : undefined)
  return {
    ...given,
    ...{ config, policy, environment, home, stateFolder, apiKey, commandFiles: records },
    signal: options.signal ?? new AbortController().signal,
    ...(mcpServers && { mcpInstances: instancesOf(mcpServers) }),
    warnings: [...(options.warnings ?? []), ...warnings],
  }
}

type Place = Pick<Policy, 'cwd' | 'home' | 'untouchable'>

async function toPolicy({ policy, tools = [] }: RunOptions, place: Place): Promise<Policy> {
  if (isLoaded(policy)) return policy
  const names = { ...place, tools: tools.map((tool) => tool.name) }
  if (policy === undefined || typeof policy === 'string') return loadPolicy({ ...names, file: policy })
  return loadPolicy({ ...names, file: '(policy object)', text: JSON.stringify(policy) })
}

function isLoaded(policy: RunOptions['policy']): policy is Policy {
  return isObject(policy) && 'sha256' in policy && 'settings' in policy
}

function instancesOf(servers: Readonly<Record<string, SdkMcpServer>>): NonNullable<RunRequest['mcpInstances']> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, { type, instance }]) => {
      if (type === 'sdk') return [name, instance]
      throw new RunError('config', `mcpServers.${name}: only type sdk is in this process. Name others in the policy.`)
    }),
  )
}

import { rmSync } from 'node:fs'
import { PROVIDER_NAMES } from '../contracts/model.ts'
import type { RunRequest } from './RunRequest.ts'
import { readResumed } from './resume/loadResumed.ts'
import type { Session } from './Session.ts'
import { isOffered } from './start/isOffered.ts'
import { startSession } from './startSession.ts'

/** What a run would start with. */
export type DryRun = ReturnType<typeof describe>

/** Starts what a run starts, without a request or a record. Throws the `RunError` that would prevent the run. */
export async function dryRun(request: RunRequest): Promise<DryRun> {
  const { resume } = request.config
  if (resume !== undefined) await readResumed(request, resume)
  const deadline = performance.now() + request.config.limits.timeoutMs
  const session = await startSession(request, {
    deadline,
    signal: request.signal,
    resumed: undefined,
    end: () => undefined,
  })
  try {
    return describe(session, request)
  } finally {
    const { children, servers, transcript } = session
    await servers?.close()
    await Promise.all([children.commands.closeAll(), children.hookCommands.closeAll(), children.gitCommands.closeAll()])
    await session.close()
    transcript.close()
    rmSync(transcript.path, { force: true })
  }
}

function describe(session: Session, request: RunRequest) {
  const { config, policy, place, model, children, servers, pool, pending, hooks } = session
  const { mode, state, detail, network, views } = children.sandbox
  const { files, sha256, rules } = policy
  const warnings = pending.flatMap((event) =>
    event.type === 'system' && event.subtype === 'warning' ? [event.message] : [],
  )
  return session.redactor.value({
    policy: { files, sha256, rules: rules.length },
    permissionMode: place.mode,
    model: config.model,
    /** Who would answer. */
    provider: model.name === 'replay' ? 'a replay' : PROVIDER_NAMES[model.name],
    /** Null if answers come from a replay or a library user. */
    api_host: model.host,
    api_key: isKeyUsed(request) ? 'present' : 'not needed',
    sandbox: { mode, state, detail },
    /** Whether changes of commands are judged before they are applied, or undone afterwards. */
    effects: { state: views.state, detail: views.detail },
    network,
    /** Names of variables that commands do not get. */
    env_dropped: children.dropped,
    hooks: hooks?.list() ?? [],
    mcp_servers: servers?.states() ?? [],
    tools: pool.filter((tool) => isOffered(session, tool)).map((tool) => tool.name),
    warnings,
  })
}

function isKeyUsed({ apiKey, config }: RunRequest): boolean {
  return config.provider === 'anthropic' && config.replay === undefined && (apiKey ?? config.apiKeyHelper) !== undefined
}

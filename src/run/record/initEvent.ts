import { createHash } from 'node:crypto'
import type { InitEvent } from '../../contracts/events.ts'
import { ownIdentity } from '../../lib/process/processIdentity.ts'
import { VERSION } from '../../lib/version.ts'
import { UNPRICED_TOKENS } from '../../query/createLimits.ts'
import type { Loop } from '../../query/Loop.ts'
import type { Session } from '../Session.ts'
import { isOffered } from '../start/isOffered.ts'
import { pricesOf } from '../start/makeModel.ts'

/** The first record: the input of the run, and what is actually enforced. */
export function initEvent(session: Session, sent: InitEvent['sent']): InitEvent {
  const { config, policy, checkout, servers, resumed } = session
  const { branch } = checkout
  const { mode, state, detail, network, views } = session.children.sandbox
  return {
    type: 'system',
    subtype: 'init',
    cwd: config.cwd,
    tools: session.pool.filter((tool) => isOffered(session, tool)).map((tool) => tool.name),
    mcp_servers: (servers?.states() ?? []).map(({ name, status }) => ({ name, status })),
    model: config.model,
    permissionMode: session.place.mode,
    shouldAvoidPermissionPrompts: true,
    apiKeySource: config.replay === undefined ? 'user' : 'none',
    api_host: session.model.host,
    agents: session.agents.map((agent) => agent.name),
    skills: session.skills.map((skill) => skill.name),
    slash_commands: session.commands,
    plugins: session.plugins,
    output_style: 'default',
    version: VERSION,
    node: process.version,
    platform: process.platform,
    prompt: session.prompt,
    policy: { files: policy.files, sha256: policy.sha256 },
    sandbox: { mode, state, detail },
    effects: { state: views.state, detail: views.detail },
    network: { mode: network.mode, state: network.state },
    env_dropped: session.children.dropped,
    limits: limitsOf(session),
    base: checkout.commit === null ? null : { commit: checkout.commit, ...(branch !== null && { branch }) },
    ...(checkout.origin && { repository: checkout.origin }),
    ...(session.once && { once: session.once }),
    ...(session.origin === undefined ? {} : { origin: session.origin }),
    ...(sent === undefined ? {} : { sent }),
    ...(resumed === undefined ? {} : { resumed_from: { run: resumed.event.from.run, seq: resumed.event.from.seq } }),
    process: ownIdentity(),
  }
}

/** The limits in force: without a price, tokens count instead of money. */
function limitsOf({ config, policy }: Session): Record<string, number | null> {
  const isPriced = pricesOf(config, policy).unpriced.length === 0
  const { turns, budgetUsd, tokens, toolCalls, denials, timeoutMs } = config.limits
  return {
    max_turns: turns,
    max_budget_usd: isPriced ? budgetUsd : null,
    max_tokens_total: tokens ?? (isPriced ? null : UNPRICED_TOKENS),
    max_tool_calls: toolCalls,
    max_denials: denials,
    timeout_ms: timeoutMs,
  }
}

/** Hashes of system prompt and tools, for the record. Undefined if they fail; the loop then reports why. */
export async function hashFrame({ frame }: Loop): Promise<InitEvent['sent']> {
  try {
    const { system, tools } = await frame()
    return { system_sha256: sha256(system), tools_sha256: sha256(JSON.stringify(tools)) }
  } catch {
    return undefined
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

import { isToolRemoved } from '../../policy/rules/bareRules.ts'
import { findProgram } from '../../sandbox/environment/childPath.ts'
import type { AgentInfo, Tool } from '../../Tool.ts'
import { assembleToolPool, checkToolNames, getAllBaseTools, getDeniedTools, getReadOnlyTools } from '../../tools.ts'
import { toolsOf, unknownTools } from '../loop/agentDefinition.ts'
import type { RunRequest, Trust } from '../RunRequest.ts'
import type { Session } from '../Session.ts'

type PoolParts = Pick<Session, 'children' | 'servers' | 'skills'> & {
  readonly request: RunRequest
  readonly agent?: AgentInfo | undefined
}

export type Pool = {
  readonly pool: readonly Tool[]
  /** Not offered, because a deny rule names them. */
  readonly deniedTools: readonly Tool[]
  /** Tools of servers that came up during the run. Only the main loop adds to them. */
  readonly late: {
    readonly tools: Tool[]
    readonly denied: Tool[]
    /** The same filter as for the tools of the start. */
    filter(tools: readonly Tool[]): Pick<Pool, 'pool' | 'deniedTools'>
  }
}

/**
 * The tools of the run: built-in ones, those of servers and of the library user; and what is wrong with the names of its
 * agent's tools. Throws `usage` if `--tools` names an unknown tool.
 */
export function openPool(parts: PoolParts): Pool & { readonly warnings: readonly string[] } {
  const { request, servers, agent } = parts
  const more = [...(servers?.tools ?? []), ...(request.tools ?? [])]
  const down = servers?.down() ?? []
  const chosen = (request.config.tools ?? []).filter(
    (tool) => !down.some(({ prefix }) => `${tool}__`.startsWith(prefix)),
  )
  checkToolNames(chosen, [...getAllBaseTools(), ...more])
  const { pool, whole } = poolOf(parts, more)
  const unknown = agent === undefined ? [] : unknownTools(agent, whole)
  const known = (tool: Tool) => pool.some(({ name }) => name === tool.name)
  return {
    pool,
    deniedTools: getDeniedTools({ policy: request.policy, more }),
    late: {
      ...{ tools: [], denied: [] },
      filter: (tools) => ({
        pool: poolOf(parts, tools)
          .pool.filter((tool) => tools.some(({ name }) => name === tool.name) && !known(tool))
          .map((tool) => ({ ...tool, shouldDefer: true, alwaysLoad: false })),
        deniedTools: tools.filter((tool) => isToolRemoved(request.policy, tool)),
      }),
    },
    warnings: unknown.length === 0 ? [] : [`--agent ${agent?.name}: there is no tool ${unknown.join(', ')}.`],
  }
}

/** The pool with these tools of servers, and the same before the agent and the trust in the event limit it. */
function poolOf({ request, children, servers, skills, agent }: PoolParts, more: readonly Tool[]) {
  const { config, policy, trust = 'trusted' } = request
  const path = children.environment['PATH'] ?? ''
  const { memory, outputs, run } = policy.settings
  const whole = assembleToolPool({
    policy,
    only: config.tools,
    isBare: config.bare,
    more,
    searchEndpoint: run.searchEndpoint,
    facts: {
      hasMemory: memory !== undefined,
      hasSkills: skills.length > 0,
      hasServers: servers !== undefined,
      hasOutputs: Object.keys(outputs).length > 0,
      hasProgram: (name) => findProgram(name, path) !== undefined,
    },
  })
  const ofAgent = agent === undefined ? whole : toolsOf(whole, agent, 0)
  return { whole, pool: restrictTools(ofAgent, trust, children.sandbox.state === 'enforced') }
}

const NETWORK_TOOLS = ['WebFetch', 'WebSearch']

/**
 * The tools for an event that outsiders may have influenced: none that access the network, and without an enforced
 * sandbox only read-only ones. Other events keep all tools.
 */
function restrictTools(pool: readonly Tool[], trust: Trust, isSandboxed: boolean): readonly Tool[] {
  if (trust !== 'untrusted') return pool
  const kept = pool.filter(({ name }) => !NETWORK_TOOLS.includes(name))
  return isSandboxed ? kept : getReadOnlyTools(kept)
}

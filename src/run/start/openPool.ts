import type { McpServers } from '../../mcp/McpServers.ts'
import { findProgram } from '../../sandbox/environment/childPath.ts'
import type { AgentInfo, SkillInfo, Tool } from '../../Tool.ts'
import { assembleToolPool, checkToolNames, getAllBaseTools, getDeniedTools, getReadOnlyTools } from '../../tools.ts'
import { toolsOf, unknownTools } from '../loop/agentDefinition.ts'
import type { RunRequest, Trust } from '../RunRequest.ts'
import type { Session } from '../Session.ts'
import type { Children } from './openChildren.ts'

export type PoolParts = {
  readonly request: RunRequest
  readonly children: Children
  readonly servers: McpServers | undefined
  readonly skills: readonly SkillInfo[]
  /** The agent that does the task, if it is not the usual one. */
  readonly agent?: AgentInfo | undefined
}

/** The tools of the run, and what is wrong with the names of its agent's tools. */
type Pool = Pick<Session, 'pool' | 'deniedTools'> & { readonly warnings: readonly string[] }

/**
 * The tools of the run: built-in ones, those of servers and of the library user. Throws `usage` if `--tools` names an
 * unknown tool.
 */
export function openPool({ request, children, servers, skills, agent }: PoolParts): Pool {
  const { config, policy, trust = 'trusted' } = request
  const more = [...(servers?.tools ?? []), ...(request.tools ?? [])]
  checkToolNames(config.tools ?? [], [...getAllBaseTools(), ...more])
  const path = children.environment['PATH'] ?? ''
  const { memory, run } = policy.settings
  const pool = assembleToolPool({
    policy,
    only: config.tools,
    isBare: config.bare,
    more,
    searchEndpoint: run.searchEndpoint,
    facts: {
      hasMemory: memory !== undefined,
      hasSkills: skills.length > 0,
      hasServers: servers !== undefined,

      hasOutputs: Object.keys(request.policy.settings.outputs).length > 0,
      hasProgram: (name) => findProgram(name, path) !== undefined,
    },
  })
  const unknown = agent === undefined ? [] : unknownTools(agent, pool)
  return {
    pool: restrictTools(
      agent === undefined ? pool : toolsOf(pool, agent, 0),
      trust,
      children.sandbox.state === 'enforced',
    ),
    deniedTools: getDeniedTools({ policy, more }),
    warnings: unknown.length === 0 ? [] : [`--agent ${agent?.name}: there is no tool ${unknown.join(', ')}.`],
  }
}

/** Tools that access the network for the run. */
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

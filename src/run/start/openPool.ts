import type { McpServers } from '../../mcp/McpServers.ts'
import { findProgram } from '../../sandbox/environment/childPath.ts'
import type { SkillInfo } from '../../Tool.ts'
import { assembleToolPool, checkToolNames, getAllBaseTools, getDeniedTools } from '../../tools.ts'
import type { RunRequest } from '../RunRequest.ts'
import type { Session } from '../Session.ts'
import type { Children } from './openChildren.ts'
import { restrictTools } from './restrictTools.ts'

export type PoolParts = {
  readonly request: RunRequest
  readonly children: Children
  readonly servers: McpServers | undefined
  readonly skills: readonly SkillInfo[]
}

/**
 * The tools of the run: built-in ones, those of servers and of the library user. Throws `usage` if `--tools` names an
 * unknown tool.
 */
export function openPool({ request, children, servers, skills }: PoolParts): Pick<Session, 'pool' | 'deniedTools'> {
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
  return {
    pool: restrictTools(pool, trust, children.sandbox.state === 'enforced'),
    deniedTools: getDeniedTools({ policy, more }),
  }
}

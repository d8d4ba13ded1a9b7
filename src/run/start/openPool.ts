import { RunError } from '../../contracts/errors.ts'
import { nearest } from '../../lib/text/nearest.ts'
import type { McpServers } from '../../mcp/McpServers.ts'
import { findProgram } from '../../sandbox/environment/childPath.ts'
import { matchesToolName, type SkillInfo, type Tool } from '../../Tool.ts'
import { assembleToolPool, getAllBaseTools, getDeniedTools } from '../../tools.ts'
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
  checkNames(config.tools ?? [], [...getAllBaseTools(), ...more])
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

function checkNames(chosen: readonly string[], tools: readonly Tool[]): void {
  const unknown = chosen.find((name) => !tools.some((tool) => matchesToolName(tool, name)))
  if (unknown === undefined) return
  const close = nearest(
    unknown,
    tools.map((tool) => tool.name),
  )
  const hint = close === undefined ? '`kode-run tools` lists them.' : `Did you mean ${close}?`
  throw new RunError('usage', `--tools: there is no tool ${JSON.stringify(unknown)}. ${hint}`)
}

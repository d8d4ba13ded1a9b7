import { type AgentInfo, matchesToolName, type Tool } from '../../Tool.ts'
import { getAllBaseTools } from '../../tools.ts'
import type { Session } from '../Session.ts'

/** The main loop has depth 0. An agent at this depth cannot start another. */
export const MAX_AGENT_DEPTH = 3
const MAX_TURNS = 30

/** Tools that act for the whole run, and tools that start agents. */
const MAIN_ONLY = ['Finish', 'EnterPlanMode', 'ExitPlanMode', 'EnterWorktree', 'ExitWorktree']
const STARTERS = ['Agent', 'SendMessage']

/** The maximum number of turns of an agent. */
export function turnsOf(info: AgentInfo): number {
  return info.maxTurns ?? MAX_TURNS
}

/**
 * The model of an agent: a model id, or a name for a configured model. The short names are those of Claude Code's agent
 * files.
 */
export function modelOf({ config }: Pick<Session, 'config'>, info: AgentInfo): string {
  const named: Readonly<Record<string, string>> = {
    inherit: config.model,
    main: config.model,
    sonnet: config.model,
    small: config.smallModel,
    haiku: config.smallModel,
    expert: config.expertModel,
    opus: config.expertModel,
  }
  return info.model === undefined ? config.model : (named[info.model] ?? info.model)
}

/** The tools of an agent; never more than its parent has. */
export function toolsOf(parents: readonly Tool[], info: AgentInfo, depth: number): readonly Tool[] {
  const barred = depth < MAX_AGENT_DEPTH ? MAIN_ONLY : [...MAIN_ONLY, ...STARTERS]
  const offered = parents.filter((tool) => !barred.includes(tool.name))
  const { tools, disallowedTools = [] } = info
  const given = tools === '*' ? offered : offered.filter((tool) => tools.some((name) => matchesToolName(tool, name)))
  return given.filter((tool) => !disallowedTools.some((name) => matchesToolName(tool, name)))
}

/** Names in a definition that match no tool, offered or not. */
export function unknownTools({ tools, disallowedTools = [] }: AgentInfo, pool: readonly Tool[]): readonly string[] {
  const known = [...getAllBaseTools(), ...pool]
  const names = [...(tools === '*' ? [] : tools), ...disallowedTools]
  return names.filter((name) => !known.some((tool) => matchesToolName(tool, name)))
}

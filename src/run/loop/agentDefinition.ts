import type { Config } from '../../config/resolveConfig.ts'
import { RunError } from '../../contracts/errors.ts'
import { type AgentInfo, matchesToolName, type Tool } from '../../Tool.ts'
import { getAllBaseTools } from '../../tools.ts'
import type { Session } from '../Session.ts'

/** The main loop has depth 0. An agent at this depth cannot start another. */
export const MAX_AGENT_DEPTH = 3
const MAX_TURNS = 30

/** Tools that act for the whole run, and tools that start agents. */
const MAIN_ONLY = ['Finish', 'EnterPlanMode', 'ExitPlanMode', 'EnterWorktree', 'ExitWorktree']
const STARTERS = ['Agent', 'SendMessage']

/** Tools by which a run ends and reports: an agent that does the task of the run always has them. */
const OF_THE_RUN = ['Finish', 'ReportFinding', 'ProposeOutput']

/**
 * The agent of `--agent`, and the configuration with its model, unless a flag names one, and its limits, where they are
 * lower. Throws `usage` that names the agents there are.
 */
export function mainAgent(config: Config, agents: readonly AgentInfo[]) {
  if (config.agent === undefined) return { info: undefined, config }
  const { name, hasModel } = config.agent
  const info = agents.find((agent) => agent.name === name)
  if (info === undefined) {
    const names = agents.map((agent) => agent.name).join(', ')
    throw new RunError('usage', `--agent: there is no agent ${JSON.stringify(name)}. There are: ${names}.`)
  }
  const { limits } = config
  const lower = {
    turns: Math.min(limits.turns, info.maxTurns ?? limits.turns),
    budgetUsd: Math.min(limits.budgetUsd, info.maxBudgetUsd ?? limits.budgetUsd),
  }
  const model = hasModel ? config.model : modelOf({ config }, info)
  return { info, config: { ...config, model, limits: { ...limits, ...lower } } }
}

export function turnsOf(info: AgentInfo): number {
  return info.maxTurns ?? MAX_TURNS
}

/** The model of an agent: an id, or a name for a configured model, among them those of Claude Code. */
export function modelOf({ config }: Pick<Session, 'config'>, info: Pick<AgentInfo, 'model'>): string {
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
  const barred = depth === 0 ? [] : depth < MAX_AGENT_DEPTH ? MAIN_ONLY : [...MAIN_ONLY, ...STARTERS]
  const offered = parents.filter((tool) => !barred.includes(tool.name))
  const { tools, disallowedTools = [] } = info
  const names = tools === '*' ? tools : [...tools, ...(depth === 0 ? OF_THE_RUN : [])]
  const given = names === '*' ? offered : offered.filter((tool) => names.some((name) => matchesToolName(tool, name)))
  return given.filter((tool) => !disallowedTools.some((name) => matchesToolName(tool, name)))
}

/** Names in a definition that match no tool, offered or not. */
export function unknownTools({ tools, disallowedTools = [] }: AgentInfo, pool: readonly Tool[]): readonly string[] {
  const known = [...getAllBaseTools(), ...pool]
  const names = [...(tools === '*' ? [] : tools), ...disallowedTools]
  return names.filter((name) => !known.some((tool) => matchesToolName(tool, name)))
}

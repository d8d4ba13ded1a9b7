import { dirname, join, parse, relative } from 'node:path'
import * as z from 'zod'
import { orFail, RunError } from '../contracts/errors.ts'
import { agentSchema } from '../contracts/policy/settingsSchemas.ts'
import type { AgentSettings } from '../contracts/settings.ts'
import type { AgentInfo } from '../Tool.ts'
import {
  type DefinitionFolder,
  definedDescription,
  definedName,
  type FrontMatter,
  listFolder,
  readDefinition,
  variablesOf,
} from './readDefinition.ts'

/** Where agents are defined. A later source overrides an earlier one: built in, project, policy, flag. */
export type AgentSources = {
  /** Of the project and of plugins. */
  readonly folders: readonly DefinitionFolder[]
  readonly policy: Readonly<Record<string, AgentSettings>>
  /** The text of `--agents`. */
  readonly flag: string | undefined
}

const MAX_AGENTS = 100

const flagSchema = z.record(
  z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/),
  agentSchema.extend({ disallowedTools: z.array(z.string()).exactOptional() }),
)

/**
 * All agents of a run, by name. An unusable project file is a warning; an unusable flag is a usage error. The run's
 * policy still judges each call of an agent.
 */
export async function loadAgents(sources: AgentSources) {
  const warnings: string[] = []
  const found: AgentInfo[] = []
  for (const from of sources.folders) found.push(...(await agentsIn(from, warnings)))
  const agents = [...BUILT_IN, ...found, ...fromSettings(sources.policy, 'policy'), ...parseFlag(sources.flag)]
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  return { agents: [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), warnings }
}

const BUILT_IN: readonly AgentInfo[] = [
  {
    name: 'general-purpose',
    description: 'A task of several steps: looking, changing, checking.',
    prompt: 'You do one task for another agent. Do all of it, check it, and answer with what that agent needs to know.',
    tools: '*',
    source: 'built in',
  },
  {
    name: 'Explore',
    description: 'Finds out how something works in the project, without changing anything.',
    prompt:
      'You answer one question about this project for another agent, by reading. Name files and lines. Change nothing.',
    tools: ['Read', 'Grep', 'Glob', 'LS'],
    source: 'built in',
  },
]

function fromSettings(settings: Readonly<Record<string, AgentSettings>>, source: string): AgentInfo[] {
  return Object.entries(settings).map(([name, { tools = '*', ...agent }]) => ({ name, ...agent, tools, source }))
}

function parseFlag(flag: string | undefined): readonly AgentInfo[] {
  if (flag === undefined) return []
  const parsed = flagSchema.safeParse(orFail('usage', '--agents is not JSON', () => JSON.parse(flag)))
  if (!parsed.success) throw new RunError('usage', `--agents: ${z.prettifyError(parsed.error)}`)
  return Object.entries(parsed.data).map(([name, { tools = '*', model, ...agent }]) => ({
    ...{ name, ...agent, tools, source: '--agents' },
    ...(model === undefined || model === 'inherit' ? {} : { model }),
  }))
}

async function agentsIn(from: DefinitionFolder, warnings: string[]): Promise<AgentInfo[]> {
  const agents: AgentInfo[] = []
  for (const { name, kind } of await listFolder(join(from.folder, 'agents'), from.files)) {
    if (kind === 'directory' || !name.endsWith('.md')) continue
    const path = join(from.folder, 'agents', name)
    const source = relative(dirname(from.folder), path)
    const definition = await readDefinition(path, from.files)
    const agent = 'problem' in definition ? definition : toAgent(definition, parse(name).name, source, from)
    if ('problem' in agent) warnings.push(`${source}: not offered, ${agent.problem}`)
    else if (agents.length >= MAX_AGENTS)
      warnings.push(`${source}: not offered, there are more than ${MAX_AGENTS} agents`)
    else agents.push(agent)
    const { keys = {} } = 'problem' in definition ? {} : definition
    for (const key of ELSEWHERE.filter((each) => keys[each] !== undefined))
      warnings.push(`${source}: its key ${key} is ignored; the policy of the run decides`)
  }
  return agents
}

/** Keys of Claude Code's agent files that would change permissions. */
const ELSEWHERE = ['permissionMode', 'hooks', 'mcpServers']

/** Keys as in Claude Code's agent files; `model: inherit` is the model of the run. */
function toAgent(
  { keys, body }: FrontMatter,
  fileName: string,
  source: string,
  from: DefinitionFolder,
): AgentInfo | { readonly problem: string } {
  const name = definedName(keys, fileName)
  const description = definedDescription(keys)
  if (name === undefined) return { problem: 'its name has characters other than letters, digits, ., _ and -' }
  if (description === undefined) return { problem: 'it has no description' }
  if (body.trim() === '') return { problem: 'it has no text' }
  const { model, maxTurns, maxBudgetUsd } = keys
  return {
    name: from.prefix + name,
    description,
    prompt: body.trim().replace(/\$\{(\w+)\}/g, (all, variable: string) => variablesOf(from)[variable] ?? all),
    tools: toolsOf(keys['tools']),
    source,
    ...(keys['disallowedTools'] === undefined ? {} : { disallowedTools: namesOf(keys['disallowedTools']) }),
    ...(typeof model === 'string' && model !== '' && model !== 'inherit' ? { model } : {}),
    ...(typeof maxTurns === 'number' && Number.isInteger(maxTurns) && maxTurns > 0 ? { maxTurns } : {}),
    ...(typeof maxBudgetUsd === 'number' && maxBudgetUsd > 0 ? { maxBudgetUsd } : {}),
  }
}

/** `Read, Grep` or a list; a missing key means all tools, an empty one none. */
function toolsOf(value: unknown): AgentInfo['tools'] {
  return value === undefined || value === '*' ? '*' : namesOf(value)
}

function namesOf(value: unknown): readonly string[] {
  const names = Array.isArray(value)
    ? value.map(String)
    : typeof value === 'string'
      ? value.replace(/[[\]"']/g, '').split(',')
      : []
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

import { randomUUID } from 'node:crypto'
import { createTodoStore } from '../context/createTodoStore.ts'
import type { ExitReason } from '../contracts/errors.ts'
import type { RunEvent } from '../contracts/events.ts'
import type { Message, Usage } from '../contracts/messages.ts'
import { costOf } from '../model/prices.ts'
import { createLimits, type Limits } from '../query/createLimits.ts'
import { tell } from '../query/Loop.ts'
import { type Loop, type LoopEnd, query } from '../query.ts'
import type { CallContext } from '../runTools.ts'
import {
  type AgentAnswer,
  type AgentInfo,
  type AgentRequest,
  isMeant,
  type Tool,
  type ToolUseContext,
} from '../Tool.ts'
import { getAllBaseTools } from '../tools.ts'
import { createLoop } from './createLoop.ts'
import { type LoopMemory, newLoopMemory, type Session } from './Session.ts'

/** The main loop is 0; an agent at this depth cannot start another. */
const DEEPEST = 3
const MOST_TURNS = 30

/** Tools that speak for the run as a whole, and those that start agents. */
const MAIN_ONLY = ['Finish', 'EnterPlanMode', 'ExitPlanMode', 'EnterWorktree', 'ExitWorktree']
const STARTERS = ['Agent', 'SendMessage']

/** Ends of a sub-agent that are ends of the run. */
const ENDS_THE_RUN: readonly ExitReason[] = ['stopped_by_hook', 'stop_hook_failed']

/** Who starts agents: what it has is the most that they get, and what they use counts as its own. */
type Parent = { readonly tools: readonly Tool[]; readonly limits: Limits; readonly depth: number }

/** A sub-agent's conversation, so that SendMessage can go on with it. */
type Conversation = {
  readonly agentId: string
  readonly info: AgentInfo
  readonly messages: Message[]
  readonly memory: LoopMemory
  isBusy: boolean
}
type Conversations = Map<string, Conversation>

/** A function that runs sub-agents for the calls of one loop, which is the main one unless `parent` says otherwise. */
export function createAgentRunner(
  session: Session,
  parent: Parent = { tools: session.pool, limits: session.limits, depth: 0 },
  known: Conversations = new Map(),
) {
  return (call: CallContext): ToolUseContext['runAgent'] =>
    async (request) => {
      if (parent.depth >= DEEPEST) throw new Error(`Agents may be nested ${DEEPEST} deep; do this part yourself.`)
      const conversation = find(session, request, known)
      conversation.isBusy = true
      try {
        return await runOne({ session, call, parent, known }, conversation, request.prompt)
      } finally {
        conversation.isBusy = false
      }
    }
}

function find(session: Session, request: AgentRequest, known: Conversations): Conversation {
  if (request.agentId !== undefined) {
    const before = known.get(request.agentId)
    if (before === undefined) throw new Error(`There is no agent with the id ${request.agentId} in this run.`)
    if (before.isBusy) throw new Error(`${request.agentId} is still at work; wait for its answer.`)
    return before
  }
  const info = session.agents.find((agent) => agent.name === request.agent)
  if (info === undefined) {
    const names = session.agents.map((agent) => agent.name).join(', ')
    throw new Error(`There is no agent ${JSON.stringify(request.agent)}. Agents: ${names || 'none'}.`)
  }
  const agentId = `agent_${randomUUID().slice(0, 8)}`
  const conversation = { agentId, info, messages: [], memory: newLoopMemory(createTodoStore()), isBusy: false }
  known.set(agentId, conversation)
  return conversation
}

type Where = {
  readonly session: Session
  readonly call: CallContext
  readonly parent: Parent
  readonly known: Conversations
}

/** Every event of the sub-agent goes through the call that started it, so it is recorded before the agent goes on. */
async function runOne(where: Where, conversation: Conversation, prompt: string): Promise<AgentAnswer> {
  const { session, call } = where
  const { agentId, info, messages } = conversation
  const loop = agentLoop(where, conversation)
  const isNew = messages.length === 0
  await call.send(status('agent_started', `${info.name} (${agentId})`, call))
  const unknown = isNew ? unknownTools(info, session.pool) : []
  if (unknown.length > 0) await call.send(warning(`Agent ${info.name}: there is no tool ${unknown.join(', ')}.`))
  const started = await session.hooks?.subagentStart({ id: agentId, type: info.name }, call.signal)
  if (started?.stop !== undefined) {
    session.halt.end ??= { reason: 'stopped_by_hook', detail: started.stop }
    return { agentId, text: `Not started: ${started.stop}`, isError: true, turns: 0 }
  }
  const context = (started?.additionalContext ?? []).map((text) => `<hook-context>\n${text}\n</hook-context>`)
  const parts = [isNew ? session.instructions : '', ...context, prompt]
  for await (const event of tell(loop, parts.filter((part) => part !== '').join('\n\n'))) await call.send(event)
  const end = await sendAll(query(loop), call)
  await call.send(status('agent_ended', `${info.name} (${agentId}): ${end.reason}`, call))
  if (ENDS_THE_RUN.includes(end.reason))
    session.halt.end ??= { reason: end.reason, detail: `${info.name}: ${end.detail}` }
  return { agentId, ...answerOf(end, info), turns: loop.limits.totals().turns }
}

function agentLoop({ session, call, parent, known }: Where, { agentId, info, messages, memory }: Conversation): Loop {
  const most = {
    turns: turnsOf(info),
    budgetUsd: undefined,
    tokens: undefined,
    toolCalls: Number.POSITIVE_INFINITY,
    denials: Number.POSITIVE_INFINITY,
  }
  const price = (model: string, usage: Usage) => costOf(model, usage, session.policy.settings.pricing)
  const own = {
    tools: toolsOf(parent.tools, info, parent.depth + 1),
    limits: createLimits(most, price, parent.limits),
    depth: parent.depth + 1,
  }
  return createLoop({
    ...{ session, messages, memory, tools: own.tools, limits: own.limits },
    model: modelOf(session, info),
    signal: call.signal,
    agent: { hook: { id: agentId, type: info.name }, info, parentToolUseId: call.toolUseId },
    runAgent: createAgentRunner(session, own, known),
  })
}

async function sendAll(events: AsyncGenerator<RunEvent, LoopEnd, undefined>, call: CallContext): Promise<LoopEnd> {
  let item = await events.next()
  while (item.done !== true) {
    await call.send(item.value)
    item = await events.next()
  }
  return item.value
}

function answerOf({ reason, detail, result }: LoopEnd, info: AgentInfo): Pick<AgentAnswer, 'text' | 'isError'> {
  if (reason === 'completed') return { text: result, isError: false }
  const why = reason === 'max_turns' ? `The agent did not end within its ${turnsOf(info)} turns.` : detail
  return { text: `${why}\n\n${result}`.trim(), isError: true }
}

function turnsOf(info: AgentInfo): number {
  return info.maxTurns ?? MOST_TURNS
}

/** A model's id, or a name that stands for a configured model; the short ones are those of Claude Code's agent files. */
function modelOf({ config }: Session, info: AgentInfo): string {
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

/** Never more than the parent has. */
function toolsOf(parents: readonly Tool[], info: AgentInfo, depth: number): readonly Tool[] {
  const barred = depth < DEEPEST ? MAIN_ONLY : [...MAIN_ONLY, ...STARTERS]
  const offered = parents.filter((tool) => !barred.includes(tool.name))
  const { tools, disallowedTools = [] } = info
  const given = tools === '*' ? offered : offered.filter((tool) => tools.some((name) => isMeant(tool, name)))
  return given.filter((tool) => !disallowedTools.some((name) => isMeant(tool, name)))
}

/** Names in a definition that no tool goes by, offered or not. */
function unknownTools({ tools, disallowedTools = [] }: AgentInfo, pool: readonly Tool[]): readonly string[] {
  const known = [...getAllBaseTools(), ...pool]
  const names = [...(tools === '*' ? [] : tools), ...disallowedTools]
  return names.filter((name) => !known.some((tool) => isMeant(tool, name)))
}

function warning(message: string): RunEvent {
  return { type: 'system', subtype: 'warning', code: 'agent_tools', message }
}

function status(name: string, detail: string, call: CallContext): RunEvent {
  return { type: 'system', subtype: 'status', status: name, detail, parent_tool_use_id: call.toolUseId }
}

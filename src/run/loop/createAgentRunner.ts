import { randomUUID } from 'node:crypto'
import { createTodoStore } from '../../context/createTodoStore.ts'
import type { ExitReason } from '../../contracts/errors.ts'
import { type RunEvent, warning } from '../../contracts/events.ts'
import type { Usage } from '../../contracts/messages.ts'
import { forEachEvent } from '../../lib/async/mergeGenerators.ts'
import { counted } from '../../lib/text/words.ts'
import { costOf } from '../../model/prices.ts'
import { createBackgroundAgents } from '../../query/createBackgroundAgents.ts'
import { createLimits, type Totals } from '../../query/createLimits.ts'
import { hookContext, tellAgent } from '../../query/Loop.ts'
import { limitResult } from '../../query/runTools/limitResult.ts'
import type { CallContext } from '../../query/runTools/runTools.ts'
import { type Loop, type LoopEnd, query } from '../../query.ts'
import type { AgentAnswer, AgentInfo, AgentRequest, ToolUseContext } from '../../Tool.ts'
import { briefOf } from '../beginRun.ts'
import { newLoopMemory, type Session } from '../Session.ts'
import { MAX_AGENT_DEPTH, modelOf, toolsOf, turnsOf, unknownTools } from './agentDefinition.ts'
import { createLoop, type LoopOptions } from './createLoop.ts'
import { type IsolatedSession, isolateAgent } from './isolateAgent.ts'

const ENDS_THE_RUN: readonly ExitReason[] = ['stopped_by_hook', 'stop_hook_failed']

/** The agent that starts others. They get at most its tools, and their usage counts as its own. */
type Parent = Pick<LoopOptions, 'tools' | 'limits' | 'background'> & { readonly depth: number }

/** A sub-agent's conversation, so that SendMessage can continue it. */
type Conversation = Pick<LoopOptions, 'messages' | 'memory'> & {
  readonly agentId: string
  readonly info: AgentInfo
  readonly isIsolated: boolean
  spent: Totals['byModel']
  isBusy: boolean
}
type Conversations = Map<string, Conversation>

/** A function that runs sub-agents for the calls of one loop. The main loop has depth 0. */
export function createAgentRunner(session: Session, parent: Parent, known: Conversations = new Map()) {
  return (call: CallContext): ToolUseContext['runAgent'] =>
    async (request) => {
      if (parent.depth >= MAX_AGENT_DEPTH)
        throw new Error(`Agents may be nested ${MAX_AGENT_DEPTH} deep; do this part yourself.`)
      const conversation = find(session, request, known)
      const apart = conversation.isIsolated ? await isolateAgent(session, conversation.agentId) : undefined
      const where = { session: apart?.session ?? session, call, parent, known }
      return request.isBackground === true
        ? startInBackground(where, { conversation, apart, prompt: request.prompt })
        : runToItsEnd(where, { conversation, apart, prompt: request.prompt })
    }
}

function find(session: Session, request: AgentRequest, known: Conversations): Conversation {
  if (request.agentId !== undefined) {
    const before = known.get(request.agentId)
    if (before === undefined) throw new Error(`There is no agent with the id ${request.agentId} in this run.`)
    if (before.isBusy) throw new Error(`${request.agentId} is still running; wait for its answer.`)
    if (before.isIsolated) throw new Error(`The worktree of ${request.agentId} is gone; start another agent.`)
    return before
  }
  const defined = session.agents.find((agent) => agent.name === request.agent)
  if (defined === undefined) throw new Error(`There is no agent ${JSON.stringify(request.agent)}.`)
  const info = request.model === undefined ? defined : { ...defined, model: request.model }
  const agentId = `agent_${randomUUID().slice(0, 8)}`
  const memory = newLoopMemory(createTodoStore())
  const isIsolated = request.isIsolated === true
  const conversation = { agentId, info, isIsolated, messages: [], memory, spent: {}, isBusy: false }
  known.set(agentId, conversation)
  return conversation
}

type Where = {
  readonly session: Session
  readonly call: CallContext
  readonly parent: Parent
  readonly known: Conversations
}

type Job = {
  readonly conversation: Conversation
  readonly apart: IsolatedSession | undefined
  readonly prompt: string
}

/** Starts an agent whose answer is delivered later; the call that started it ends at once. */
function startInBackground(where: Where, job: Job): AgentAnswer {
  const { call, parent, session } = where
  const { agentId, info } = job.conversation
  parent.background.start(agentId, async (send, ending) => {
    const signal = AbortSignal.any([call.signal, ending])
    const answer = await runToItsEnd({ ...where, call: { ...call, send, signal } }, job)
    return describeAnswer(session, info.name, answer)
  })
  return { agentId, text: '', isError: false, turns: 0, isAtWork: true }
}

async function runToItsEnd(where: Where, { conversation, apart, prompt }: Job): Promise<AgentAnswer> {
  conversation.isBusy = true
  const left: string[] = []
  try {
    const answer = await runOne(where, conversation, prompt)
    if (apart === undefined) return answer
    left.push(await apart.leave())
    return { ...answer, text: `${answer.text}\n\n${left[0]}`.trim() }
  } finally {
    if (left.length === 0) await apart?.leave()
    conversation.isBusy = false
  }
}

/** Sends every event of the sub-agent through the call that started it, so it is recorded before the agent continues. */
export async function runOne(where: Where, conversation: Conversation, prompt: string): Promise<AgentAnswer> {
  const { session, call } = where
  const { agentId, info, messages } = conversation
  const loop = agentLoop(where, conversation)
  const isNew = messages.length === 0
  await call.send(status('agent_started', `${info.name} (${agentId})`, call))
  const unknown = isNew ? unknownTools(info, [...session.pool, ...session.late.tools]) : []
  if (unknown.length > 0)
    await call.send(warning('agent_tools', `Agent ${info.name}: there is no tool ${unknown.join(', ')}.`))
  const started = await session.hooks?.subagentStart({ id: agentId, type: info.name }, call.signal)
  if (started?.stop !== undefined) {
    session.halt.end ??= { reason: 'stopped_by_hook', detail: started.stop }
    return { agentId, text: `Not started: ${started.stop}`, isError: true, turns: 0 }
  }
  const parts = [
    ...(isNew ? [session.environmentNote, session.instructions, briefOf(session)] : []),
    ...hookContext(started?.additionalContext),
    prompt,
  ]
  for await (const event of tellAgent(loop, parts.filter((part) => part !== '').join('\n\n'))) await call.send(event)
  const end = await forEachEvent(query(loop), call.send)
  conversation.spent = loop.limits.totals().byModel
  await call.send(status('agent_ended', `${info.name} (${agentId}): ${end.reason}`, call))
  if (ENDS_THE_RUN.includes(end.reason))
    session.halt.end ??= { reason: end.reason, detail: `${info.name}: ${end.detail}` }
  return { agentId, ...answerOf(end, info, loop.limits.totals()), turns: loop.limits.totals().turns }
}

function agentLoop(
  { session, call, parent, known }: Where,
  { agentId, info, messages, memory, spent }: Conversation,
): Loop {
  const most = {
    turns: turnsOf(info),
    budgetUsd: info.maxBudgetUsd,
    tokens: undefined,
    toolCalls: Number.POSITIVE_INFINITY,
    denials: Number.POSITIVE_INFINITY,
  }
  const price = (model: string, usage: Usage) => costOf(model, usage, session.policy.settings.pricing)
  const depth = parent.depth + 1
  const own = {
    tools: toolsOf(parent.tools, info, depth),
    limits: createLimits(most, price, parent.limits, { turns: 0, tool_calls: 0, denials: 0, models: spent }),
    background: createBackgroundAgents(session.feed.add),
  }
  return createLoop({
    ...{ session, messages, memory, ...own },
    model: modelOf(session, info),
    signal: call.signal,
    agent: { hook: { id: agentId, type: info.name }, info, parentToolUseId: call.toolUseId },
    runAgent: createAgentRunner(session, { ...own, depth }, known),
  })
}

function answerOf(
  { reason, detail, result }: LoopEnd,
  info: AgentInfo,
  used: Totals,
): Pick<AgentAnswer, 'text' | 'isError'> {
  if (reason === 'completed') return { text: result, isError: false }
  return { text: `${ownLimit(reason, info, used) ?? detail}\n\n${result}`.trim(), isError: true }
}

/** The limit of its own definition that an agent reached. The end itself describes a limit of the run. */
function ownLimit(reason: ExitReason, info: AgentInfo, { costUsd }: Totals): string | undefined {
  if (reason === 'max_turns') return `The agent did not end within ${counted(turnsOf(info), 'turn')}.`
  const { maxBudgetUsd } = info
  if (reason !== 'max_budget' || maxBudgetUsd === undefined || (costUsd ?? 0) < maxBudgetUsd) return undefined
  return `The agent did not end within its budget of ${maxBudgetUsd} USD.`
}

function status(name: string, detail: string, call: CallContext): RunEvent {
  return { type: 'system', subtype: 'status', status: name, detail, parent_tool_use_id: call.toolUseId }
}

type Parts = Pick<Session, 'config' | 'transcript' | 'redactor'>

/** The answer of a background agent, for the agent that started it: redacted, and cut like a tool result. */
function describeAnswer({ config, transcript, redactor }: Parts, name: string, answer: AgentAnswer): string {
  const { agentId, text, isError } = answer
  const whole = { content: redactor.forModel(text) }
  const { result } = limitResult(whole, config.maxResultCharacters, transcript.blobs)
  const outcome = isError ? 'failed' : 'completed'
  return `<agent-answer agent="${name}" id="${agentId}" outcome="${outcome}">\n${result.content}\n</agent-answer>`
}

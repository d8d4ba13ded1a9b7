import { systemPrompt } from '../../context/systemPrompt.ts'
import type { PermissionMode } from '../../contracts/decision.ts'
import type { Message } from '../../contracts/messages.ts'
import type { HookAgent } from '../../hooks/Hooks.ts'
import { toToolSpec } from '../../model/toolSpec.ts'
import type { PermissionOptions } from '../../permissions.ts'
import { changeablePaths } from '../../policy/explain/briefPolicy.ts'
import { isInsideWorkingDirectories } from '../../policy/paths/judgeProtection.ts'
import { followLinks } from '../../policy/rules/indexPolicy.ts'
import { auditedEdits, refuseEffects } from '../../policy/suggest/advise.ts'
import type { BackgroundAgents } from '../../query/createBackgroundAgents.ts'
import type { Limits } from '../../query/createLimits.ts'
import { type Loop, newLoopState } from '../../query/Loop.ts'
import type { CallContext, ToolRunner } from '../../query/runTools/runTools.ts'
import { type AgentInfo, findTool, isDeferred, type Tool, type ToolUseContext } from '../../Tool.ts'
import type { LoopMemory, Session } from '../Session.ts'
import { isOffered } from '../start/isOffered.ts'
import { workingDirectories } from '../start/openFiles.ts'
import { compactAt, createCompaction } from './createCompaction.ts'
import { createToolContext, subjectContext } from './createToolContext.ts'
import { judgeCall } from './judgeCall.ts'
import { welcomeServers } from './lateServers.ts'

export type LoopOptions = {
  readonly session: Session
  readonly tools: readonly Tool[]
  readonly memory: LoopMemory
  readonly limits: Limits
  readonly model: string
  readonly messages: Message[]
  readonly signal: AbortSignal
  readonly agent?: { readonly hook: HookAgent; readonly info: AgentInfo; readonly parentToolUseId: string }
  readonly runAgent: (call: CallContext) => ToolUseContext['runAgent']
  readonly background: BackgroundAgents
}

export function createLoop(options: LoopOptions): Loop {
  const { session, agent, memory, messages, limits, background } = options
  const { maxOutputTokens, backgroundWaitMs: waitMs } = session.config
  const tools = () => callableTools(options)
  const runner = createRunner(options, session.place.mode, tools)
  const { hooks, signal, drain } = runner
  const state = newLoopState(maxOutputTokens, memory.denied)
  return {
    ...{ runner, hooks, agent: agent?.hook, signal, drain },
    ...{ messages, limits, background, maxOutputTokens, state },
    model: session.model,
    frame: createFrame(options, tools),
    ...(agent === undefined && { commands: { ...session.children.commands, waitMs } }),
    finished: () => memory.report,
    reopen() {
      memory.report = undefined
    },
    mustFinish: () => (agent === undefined ? mustFinish(session) : undefined),
    openSteps: () => memory.todos.get().flatMap(({ status, content }) => (status === 'completed' ? [] : [content])),
    halted: () => session.halt.end,
    arrivals: () => (agent === undefined ? welcomeServers(session, memory) : undefined),
    compactAt: compactAt(session.config),
    compact: createCompaction({ ...options, state, parentToolUseId: runner.parentToolUseId }),
  }
}

/**
 * Tools that ToolSearch loaded come last, in loading order, so that the bytes before them do not change. Without
 * ToolSearch, all tools are there from the start.
 */
function callableTools(options: LoopOptions): readonly Tool[] {
  const { memory } = options
  const tools = allTools(options)
  const canLoad = tools.some((tool) => tool.name === 'ToolSearch')
  const loaded = [...memory.loadedTools].flatMap((name) => tools.find((tool) => tool.name === name) ?? [])
  const offered = [...new Set([...tools.filter((tool) => !canLoad || !isDeferred(tool)), ...loaded])]
  return offered.filter((tool) => tool.isEnabled())
}

/** The tools of the loop; those of servers that came up late are last. A sub-agent has those of its start. */
function allTools({ session, agent, tools }: LoopOptions): readonly Tool[] {
  return agent === undefined ? [...tools, ...session.late.tools] : tools
}

function createRunner(options: LoopOptions, startMode: PermissionMode, tools: () => readonly Tool[]): ToolRunner {
  const { session, agent, limits, signal } = options
  const { hooks, config, place, redactor } = session
  const parentToolUseId = agent?.parentToolUseId ?? null
  const runner: ToolRunner = {
    tools,
    find: (name) => {
      const tool = findTool(allTools(options), name) ?? findTool([...session.deniedTools, ...session.late.denied], name)
      return tool?.isEnabled() ? tool : undefined
    },
    context: (call) => createToolContext({ ...options, tools: allTools(options), runner, startMode }, call),
    permission: (ending) => permissionOptions(session, ending, parentToolUseId),
    ...{ hooks, agent: agent?.hook, parentToolUseId, signal },
    policySha256: session.policy.sha256,
    takeToolCall: () => limits.takeToolCall(),
    countDecision: (decision) => limits.countDecision(decision),
    async look() {
      const { allowed } = changeablePaths(place.policy)
      return (await session.transactions.effects.look()).map((report) => ({ ...report, allowed }))
    },
    refusalOf: (report) => refuseEffects(place.policy, report),
    auditedEdits: (report) => (config.audit ? auditedEdits(place.policy, report) : []),
    root: config.cwd,
    noteCall: (call) => session.children.integrity.note(call),
    blobs: session.transcript.blobs,
    maxResultCharacters: config.maxResultCharacters,
    forModel: redactor.forModel,
    drain: () => session.pending.splice(0),
  }
  return runner
}

function permissionOptions(session: Session, signal: AbortSignal, parentToolUseId: string | null): PermissionOptions {
  const { place, hooks } = session
  place.policy = followLinks(place.policy)
  const { policy } = place
  return {
    policy,
    mode: place.mode,
    subjects: subjectContext(session),
    isPlainEdit: (subject) => subject.kind === 'path' && isInsideWorkingDirectories(policy, subject),
    isAudit: session.config.audit,
    ...(hooks === undefined ? {} : { hooks }),
    judge: (call, input, judgeSignal) => judgeCall(session, { call, input, parentToolUseId, signal: judgeSignal }),
    signal,
  }
}

/** System prompt and tool specs. Rebuilt only if the tools change, so that the bytes stay the same otherwise. */
function createFrame(options: LoopOptions, tools: () => readonly Tool[]): Loop['frame'] {
  let made: { readonly key: string; readonly frame: Awaited<ReturnType<Loop['frame']>> } | undefined
  return async () => {
    const now = tools().filter((tool) => tool.isEnabled() && isOffered(options.session, tool))
    const key = now.map((tool) => tool.name).join(',')
    if (made?.key === key) return made.frame
    const prompt = {
      tools: options.tools.filter((tool) => isOffered(options.session, tool)),
      cwd: cwdOf(options.session, options.agent),
      safeMode: true as const,
    }
    // A tool that is loaded later is marked, so that the client can leave the cached prefix as it is.
    const specOf = async (tool: Tool) => {
      const spec = await toToolSpec(tool, prompt)
      const isLate = options.memory.loadedTools.has(tool.name) && 'input_schema' in spec
      return isLate ? { ...spec, deferred: true as const } : spec
    }
    const specs = await Promise.all(now.map(specOf))
    const { thinking, effort, includePartialMessages } = options.session.config
    const frame = {
      ...{ model: options.model, system: systemText(options), tools: specs },
      ...(thinking !== undefined && { thinking }),
      ...(effort !== undefined && { effort }),
      ...(includePartialMessages && { hasParts: true }),
    }
    made = { key, frame }
    return frame
  }
}

/** The folder in the system prompt: the main loop's stays when the run moves, an agent has that of its start. */
function cwdOf(session: Session, agent: LoopOptions['agent']): string {
  return agent === undefined ? session.config.cwd : session.place.cwd
}

function systemText({ session, agent, tools }: LoopOptions): string {
  const { outputSchema, appendSystemPrompt } = session
  const info = agent?.info ?? (session.systemPrompt === undefined ? session.mainAgent : undefined)
  const has = (name: string) => tools.some((tool) => tool.name === name && isOffered(session, tool))
  return systemPrompt({
    cwd: cwdOf(session, agent),
    additionalDirectories: workingDirectories(session).slice(1),
    platform: process.platform,
    agents: has('Agent') ? session.agents : [],
    skills: has('Skill') ? session.skills : [],
    ...(outputSchema === undefined || agent !== undefined ? {} : { outputSchema: outputSchema.schema }),
    ...(session.systemPrompt === undefined ? {} : { systemPrompt: session.systemPrompt }),
    ...(info === undefined ? {} : { agentPrompt: info.prompt, isMain: agent === undefined }),
    ...(appendSystemPrompt === undefined ? {} : { appendSystemPrompt }),
  })
}

/** The message to an agent that just ended its turn; undefined if it need not call Finish. */
function mustFinish({ config, outputSchema, limits }: Session): string | undefined {
  if (outputSchema !== undefined) return 'Call Finish with your structured output in `output`.'
  if (config.requireFinish) return 'Call Finish with status completed, blocked or failed, and a summary.'
  if (limits.totals().denials === 0) return undefined
  return 'Some calls were denied. Call Finish with the status of the task: completed, blocked or failed.'
}

import { randomUUID } from 'node:crypto'
import { createTodoStore } from '../../context/createTodoStore.ts'
import type { CommandRequest } from '../../contracts/commands.ts'
import { isAbsence } from '../../contracts/decision.ts'
import type { CommandEffects } from '../../contracts/effects.ts'
import { type RunEvent, warning } from '../../contracts/events.ts'
import type { HookTable } from '../../contracts/settings.ts'
import { createHooks } from '../../hooks/createHooks.ts'
import { HOOK_AGENT, nameOf } from '../../hooks/HookReply.ts'
import type { HookPower, HookSource, Hooks } from '../../hooks/Hooks.ts'
import { type HookPlace, startsOutside } from '../../hooks/startsOutside.ts'
import { createChannel } from '../../lib/async/channel.ts'
import { evaluate } from '../../policy/evaluate.ts'
import { createHiddenJudge } from '../../policy/paths/hiddenPlaces.ts'
import { matchesRule } from '../../policy/rules/matchesRule.ts'
import { createBackgroundAgents } from '../../query/createBackgroundAgents.ts'
import type { CallContext } from '../../query/runTools/runTools.ts'
import { DIRECT } from '../../sandbox/views/checkoutMode.ts'
import type { ModelQuestion } from '../../Tool.ts'
import { commandsOfCall } from '../effects/commandsOfCall.ts'
import { MAX_AGENT_DEPTH } from '../loop/agentDefinition.ts'
import { runOne } from '../loop/createAgentRunner.ts'
import { type SideRequestContext, sideRequest } from '../loop/sideRequest.ts'
import { credentialsOf, type RunRequest, workspacesOf } from '../RunRequest.ts'
import { newLoopMemory, type Session } from '../Session.ts'
import type { Extensions } from './loadExtensions.ts'

type HookBase = SideRequestContext &
  Pick<Session, 'environment' | 'children' | 'transactions' | 'network' | 'sessionId' | 'transcript'> &
  Pick<Session, 'place' | 'variables' | 'home'> & { readonly request: RunRequest }

type Later = {
  readonly secrets: readonly string[]
  session(): Session | undefined
}

/**
 * The hooks of the policy and of the project; undefined if there are none. Hooks of the repository run in the sandbox
 * if there is one, reach no internal address, and get the same environment as any child.
 */
export function openHooks(
  base: HookBase,
  { hooks: table, projectHooks }: Pick<Extensions, 'hooks' | 'projectHooks'>,
  later: Later,
): Hooks | undefined {
  const { request, children, environment, config, place, network } = base
  const { configRoot = config.cwd } = request
  const checkout = workspacesOf(request)
  if (isEmpty(table) && isEmpty(projectHooks)) return undefined
  const foreign: HookSource = {
    table: projectHooks,
    runInside: asCommands(base),
    fetch: network.fetchForProject,
    env: children.environment,
  }
  if (children.sandbox.state !== 'enforced') warnOfInside(base, table, { cwd: configRoot, checkout })
  return createHooks({
    table,
    project: foreign,
    cwd: configRoot,
    workspace: config.cwd,
    sessionId: base.sessionId,
    transcriptPath: base.transcript.path,
    permissionMode: () => place.mode,
    runOutside: (command) => children.hookCommands.run(command),
    runInside: insideRunner(base),
    runBeside: besideRunner(base),
    power: () => powerOf(later.session()),
    folder: children.hookFolder,
    isHidden: createHiddenJudge(base.policy),
    checkout,
    fetch: network.fetchOwn,
    askModel: (question, signal) => sideRequest(base, question, { signal, parentToolUseId: null }),
    matchesRule: (rule, call) => matchesRule(place.policy, rule, call),
    redact: base.redactor.forModel,
    async keepVariables(files) {
      const { keepVariables } = await import('./keepVariables.ts')
      const known = { secrets: later.secrets, credentials: credentialsOf(request) }
      for (const message of keepVariables(files, { ...base, ...known }))
        base.pending.push(warning('hook_variables', message))
    },
    onEvent: (event) => base.pending.push(event),
    env: environment,
  })
}

const READS: CommandEffects = { access: 'read', mayChangeGit: false, by: 'hook' }

/**
 * Runs hooks that come from the checkout, behind the wall of commands. Without one, hooks of the policy still run, because its author knows
 * the checkout, unless outsiders may have influenced the event.
 */
function insideRunner(base: HookBase) {
  const { sandbox, hookCommands } = base.children
  const asCommand = asCommands(base)
  if (base.request.trust === 'untrusted' && sandbox.state !== 'enforced') return undefined
  if (isWalled(sandbox)) return asCommand
  return (request: CommandRequest) => (request.effects === undefined ? hookCommands.run(request) : asCommand(request))
}

/**
 * Runs async hooks beside commands. Where no sandbox keeps the checkout read-only for them, what they change is judged
 * like the changes of a background command.
 */
export function besideRunner({ children, transactions: { effects } }: Pick<HookBase, 'children' | 'transactions'>) {
  const { sandbox, commands, hookCommands } = children
  if (sandbox.state === 'enforced') return undefined
  if (sandbox.landlock === undefined) return hookCommands.run
  const direct = { ...READS, access: 'direct' } as const
  return (request: CommandRequest) =>
    effects.watch('an async hook', direct, () => commands.runOn({ ...request, effects: direct }, DIRECT))
}

/** What hooks may do with the run itself. A hook of the policy needs no allow rule for a tool; no hook passes a deny. */
function powerOf(session: Session | undefined): HookPower {
  if (session === undefined) throw new Error('the run has not begun')
  return {
    askAgent: (question, signal) => askHookAgent(session, question, signal),
    async callTool({ server, tool, input }, isForeign, signal) {
      const subjects = [{ kind: 'mcp', server, tool } as const]
      const call = { tool: `mcp__${server}__${tool}`, aliases: [], input, subjects, isFree: false, isReadOnly: false }
      const decision = evaluate(session.place.policy, call)
      if (decision.behavior !== 'allow' && (isForeign || !isAbsence(decision))) throw new Error(decision.message)
      if (session.servers === undefined) throw new Error(`there is no MCP server ${JSON.stringify(server)}`)
      return session.servers.callTool(server, tool, input, signal)
    },
  }
}

/** Runs hooks as the commands of a call. One that may change nothing gets a read-only checkout. */
function asCommands({ children, place }: HookBase) {
  return (request: CommandRequest) =>
    commandsOfCall(children.commands, { onEffects: () => undefined }, place.policy).run({ effects: READS, ...request })
}

/** Says once which hooks run without a sandbox. */
function warnOfInside({ pending, redactor, children }: HookBase, table: HookTable, place: HookPlace): void {
  const hooks = Object.values(table).flatMap((groups) => groups.flatMap((group) => group.hooks))
  const names = new Set(hooks.filter((hook) => !startsOutside(hook, place)).map(nameOf))
  if (names.size === 0) return
  const list = [...names].join(', ')
  const message = isWalled(children.sandbox)
    ? `Hooks that run something in the checkout run behind Landlock, with a home of their own, and what they change is judged: ${list}`
    : `There is no sandbox for hooks that run something in the checkout: ${list}`
  pending.push(warning('hook_outside', redactor.forModel(message)))
}

function isWalled({ state, landlock }: HookBase['children']['sandbox']): boolean {
  return state === 'enforced' || landlock !== undefined
}

function isEmpty(table: HookTable): boolean {
  return Object.keys(table).length === 0
}

const READERS = ['Read', 'Grep', 'Glob', 'LS']
const JUDGE_TURNS = 50

/**
 * The last words of an agent that judges for a hook. It can only read files, by the rules of the run; what it costs counts
 * for the run. Each of its events is recorded before it continues. Throws why it has no answer.
 */
async function askHookAgent(
  session: Session,
  { system = '', prompt, model }: ModelQuestion,
  signal: AbortSignal,
): Promise<string> {
  const agentId = `agent_${randomUUID().slice(0, 8)}`
  const info = { name: HOOK_AGENT, description: '', prompt: system, tools: READERS, model, maxTurns: JUDGE_TURNS }
  const events = createChannel<RunEvent>()
  session.feed.add(events.read())
  const call: CallContext = {
    ...{ toolUseId: agentId, signal, send: events.send, subjects: [], decision: undefined, canonical: undefined },
    onEffects: () => undefined,
  }
  const parent = {
    ...{ tools: session.pool, limits: session.limits, depth: MAX_AGENT_DEPTH - 1 },
    background: createBackgroundAgents(session.feed.add),
  }
  const memory = newLoopMemory(createTodoStore())
  const conversation = {
    ...{ agentId, info: { ...info, source: 'a hook' }, isIsolated: false },
    ...{ messages: [], memory, spent: {}, isBusy: true },
  }
  try {
    const answer = await runOne({ session, call, parent, known: new Map() }, conversation, prompt)
    if (answer.isError) throw new Error(answer.text.trim() || 'it gave no answer')
    return answer.text
  } finally {
    events.close()
  }
}

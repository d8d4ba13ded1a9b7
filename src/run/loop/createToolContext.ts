import { type Decision, isAbsence, type PermissionMode } from '../../contracts/decision.ts'
import type { RunEvent } from '../../contracts/events.ts'
import type { Call, Subject } from '../../contracts/subject.ts'
import { resolveAsJudged, resolvePath } from '../../files/resolvePath.ts'
import { forEachEvent } from '../../lib/async/mergeGenerators.ts'
import { parseUrl } from '../../lib/net/parseUrl.ts'
import { evaluate } from '../../policy/evaluate.ts'
import { judgePath } from '../../policy/paths/judgePath.ts'
import { runCommands } from '../../query/runTools/runCommands.ts'
import type { CallContext, ToolRunner } from '../../query/runTools/runTools.ts'
import { type FinishReport, isDeferred, type McpAccess, type SubjectContext, type ToolUseContext } from '../../Tool.ts'
import { accountedFiles } from '../effects/accountedFiles.ts'
import { commandsOfCall } from '../effects/commandsOfCall.ts'
import type { LoopMemory, Session } from '../Session.ts'
import { moveTo, workingDirectories } from '../start/openFiles.ts'
import type { LoopOptions } from './createLoop.ts'
import { sideRequest } from './sideRequest.ts'

const MAX_SCHEMA_RETRIES = 2

async function noServer(server: string): Promise<never> {
  throw new Error(`There is no MCP server ${JSON.stringify(server)}.`)
}

const NO_SERVERS: McpAccess = { serversWithResources: () => [], listResources: noServer, readResource: noServer }

/** The loop that makes the call. Its tools are all of them, including those not loaded yet. */
type Caller = LoopOptions & { readonly runner: ToolRunner; readonly startMode: PermissionMode }

export function subjectContext(session: Session): SubjectContext {
  const { home, place } = session
  return { cwd: place.cwd, home, resolvePath: (path, cwd) => resolvePath(path, cwd ?? place.cwd, home) }
}

/** The context of one tool call. A tool sees nothing else of the run. */
export function createToolContext(caller: Caller, call: CallContext): ToolUseContext {
  const { session, memory, tools, model, runner, startMode } = caller
  const { place, deadline, sessionId, tasks, skills, agents } = session
  const { artifacts, artifactFiles, memoryFiles } = session
  const { signal, toolUseId, decision, canonical } = call
  const { policy, mode } = place
  const { parentToolUseId } = runner
  const subjects = subjectContext(session)
  return {
    ...subjects,
    ...{ signal, toolUseId, decision, canonical },
    ...{ agentId: caller.agent?.hook.id, parentToolUseId, tools, model, startMode, mode },
    ...{ deadline, sessionId, tasks, skills, agents, artifacts, artifactFiles, memoryFiles },
    resolvePath: resolveAsJudged(call.subjects, subjects.resolvePath),
    workingDirectories: workingDirectories(session),
    readFileState: memory.readFileState,
    messages: Object.freeze([...caller.messages]),
    isVerbose: session.config.verbose,
    files: accountedFiles(place.files, session.transactions.account, toolUseId),
    commands: commandsOfCall(session.children.commands, call, policy, session.variables),
    network: session.network.access,
    ownGit: session.children.git,
    changeWorktree: session.transactions.account.changeWorktree,
    blobs: session.transcript.blobs,
    mayRead: (path) => judgePath({ policy, workingDirectories: workingDirectories(session) }, path, 'read') === 'allow',
    mayFetch(url) {
      const subject = { kind: 'domain', url, host: parseUrl(url)?.hostname ?? '' } as const
      return audited(session, evaluate(policy, readingCall('WebFetch', { url }, subject)))
    },
    mayListResources(server) {
      const subject = { kind: 'mcp', server, tool: 'resources/list' } as const
      return audited(session, evaluate(policy, readingCall('ListMcpResources', {}, subject))).behavior === 'allow'
    },
    askModel: (question) => sideRequest(session, question, { signal, parentToolUseId }),
    runAgent: caller.runAgent(call),
    runCommands: (lines) => forEachEvent(runCommands(lines, runner, toolUseId), call.send),
    agentsAtWork: caller.background.running,
    setMode(next) {
      place.mode = next
    },
    setCwd: (path) => moveTo(session, path),
    todos: memory.todos,
    answers: policy.settings.run.answers ?? {},
    mcp: session.servers ?? NO_SERVERS,
    memory: policy.settings.memory,
    loadTools(names) {
      const loaded = memory.loadedTools
      const wanted = tools.filter((tool) => isDeferred(tool) && names.includes(tool.name) && !loaded.has(tool.name))
      const added = wanted.map((tool) => tool.name)
      for (const name of added) loaded.add(name)
      const event = { type: 'system', subtype: 'tools_loaded', tools: added } as const
      if (added.length > 0) void call.send({ ...event, parent_tool_use_id: parentToolUseId })
      return added
    },
    finish: (report) => finish(session, memory, report),
    proposeOutput: session.outputs.propose,
    redact: session.redactor.text,
    notify: (event) => void call.send({ ...event, parent_tool_use_id: parentToolUseId } as RunEvent),
  }
}

/** Under an audit, a call that only lacks an allow rule passes. */
function audited({ config }: Session, decision: Decision): Decision {
  return config.audit && isAbsence(decision) ? { ...decision, behavior: 'allow' } : decision
}

function readingCall(tool: string, input: Call['input'], subject: Subject): Call {
  return { tool, aliases: [], input, subjects: [subject], isFree: false, isReadOnly: true }
}

/** Sends an invalid output back twice. After that, the report is kept with the problem. */
function finish(session: Session, memory: LoopMemory, report: FinishReport): string | null {
  const problem = report.status === 'completed' ? problemOf(session, report.output) : null
  if (problem !== null && memory.schemaFailures < MAX_SCHEMA_RETRIES) {
    memory.schemaFailures++
    return problem
  }
  memory.report = problem === null ? report : { ...report, schemaProblem: problem }
  return null
}

/** Also checks the redacted output, because that is what is kept. */
function problemOf({ outputSchema, redactor }: Session, output: unknown): string | null {
  if (outputSchema === undefined) return null
  const problem = outputSchema.check(output)
  const kept = problem ?? outputSchema.check(redactor.value(output))
  return problem !== null || kept === null ? problem : `It contains a secret, and after its redaction: ${kept}`
}

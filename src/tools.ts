import { RunError } from './contracts/errors.ts'
import { nearest } from './lib/text/nearest.ts'
import type { Policy } from './policy/Policy.ts'
import { isToolRemoved } from './policy/rules/bareRules.ts'
import { aliasesOf } from './policy/rules/toolNames.ts'
import { isNamed, matchesToolName, type PoolFacts, type Tool } from './Tool.ts'
import { AgentTool } from './tools/AgentTool/AgentTool.ts'
import { ArchitectTool } from './tools/ArchitectTool/ArchitectTool.ts'
import { AskExpertModelTool } from './tools/AskExpertModelTool/AskExpertModelTool.ts'
import { AskUserQuestionTool } from './tools/AskUserQuestionTool/AskUserQuestionTool.ts'
import { BashOutputTool } from './tools/BashOutputTool/BashOutputTool.ts'
import { BashTool } from './tools/BashTool/BashTool.ts'
import { EditTool } from './tools/EditTool/EditTool.ts'
import { EnterPlanModeTool } from './tools/EnterPlanModeTool/EnterPlanModeTool.ts'
import { EnterWorktreeTool } from './tools/EnterWorktreeTool/EnterWorktreeTool.ts'
import { ExitPlanModeTool } from './tools/ExitPlanModeTool/ExitPlanModeTool.ts'
import { ExitWorktreeTool } from './tools/ExitWorktreeTool/ExitWorktreeTool.ts'
import { FinishTool } from './tools/FinishTool/FinishTool.ts'
import { GlobTool } from './tools/GlobTool/GlobTool.ts'
import { GrepTool } from './tools/GrepTool/GrepTool.ts'
import { KillShellTool } from './tools/KillShellTool/KillShellTool.ts'
import { ListMcpResourcesTool } from './tools/ListMcpResourcesTool/ListMcpResourcesTool.ts'
import { LSTool } from './tools/LSTool/LSTool.ts'
import { MemoryReadTool } from './tools/MemoryReadTool/MemoryReadTool.ts'
import { MemoryWriteTool } from './tools/MemoryWriteTool/MemoryWriteTool.ts'
import { MultiEditTool } from './tools/MultiEditTool/MultiEditTool.ts'
import { NotebookEditTool } from './tools/NotebookEditTool/NotebookEditTool.ts'
import { NotebookReadTool } from './tools/NotebookReadTool/NotebookReadTool.ts'
import { PowerShellTool } from './tools/PowerShellTool/PowerShellTool.ts'
import { ProposeOutputTool } from './tools/ProposeOutputTool/ProposeOutputTool.ts'
import { ReadMcpResourceTool } from './tools/ReadMcpResourceTool/ReadMcpResourceTool.ts'
import { ReadTool } from './tools/ReadTool/ReadTool.ts'
import { ReportFindingTool } from './tools/ReportFindingTool/ReportFindingTool.ts'
import { SendMessageTool } from './tools/SendMessageTool/SendMessageTool.ts'
import { SendUserFileTool } from './tools/SendUserFileTool/SendUserFileTool.ts'
import { SkillTool } from './tools/SkillTool/SkillTool.ts'
import { SleepTool } from './tools/SleepTool/SleepTool.ts'
import { TaskCreateTool } from './tools/TaskCreateTool/TaskCreateTool.ts'
import { TaskGetTool } from './tools/TaskGetTool/TaskGetTool.ts'
import { TaskListTool } from './tools/TaskListTool/TaskListTool.ts'
import { TaskUpdateTool } from './tools/TaskUpdateTool/TaskUpdateTool.ts'
import { ThinkTool } from './tools/ThinkTool/ThinkTool.ts'
import { TodoWriteTool } from './tools/TodoWriteTool/TodoWriteTool.ts'
import { ToolSearchTool } from './tools/ToolSearchTool/ToolSearchTool.ts'
import { WebFetchTool } from './tools/WebFetchTool/WebFetchTool.ts'
import { buildWebSearchTool, WebSearchTool } from './tools/WebSearchTool/WebSearchTool.ts'
import { WriteTool } from './tools/WriteTool/WriteTool.ts'

export type PoolOptions = {
  readonly policy: Policy
  /** `--tools`: only these, by name or alias; `default` is all of them. */
  readonly only?: readonly string[] | undefined
  readonly isBare?: boolean
  /** Tools of MCP servers and of library users. */
  readonly more?: readonly Tool[]
  /** What the run has; by default, everything. */
  readonly facts?: Omit<PoolFacts, 'tools'>
  /** A search service for WebSearch; the API's own search without one. */
  readonly searchEndpoint?: string | undefined
}

const EVERYTHING: Omit<PoolFacts, 'tools'> = {
  hasMemory: true,
  hasSkills: true,
  hasServers: true,
  hasOutputs: true,
  hasProgram: () => true,
}

/** The tools of `--bare`. `Finish` is always added: without it the agent could not report how it ended. */
const BARE = ['Bash', 'Read', 'Edit']

const BASE_TOOLS: readonly Tool[] = named([
  AgentTool,
  ArchitectTool,
  AskExpertModelTool,
  AskUserQuestionTool,
  BashOutputTool,
  BashTool,
  EditTool,
  EnterPlanModeTool,
  EnterWorktreeTool,
  ExitPlanModeTool,
  ExitWorktreeTool,
  FinishTool,
  GlobTool,
  GrepTool,
  KillShellTool,
  LSTool,
  ListMcpResourcesTool,
  MemoryReadTool,
  MemoryWriteTool,
  MultiEditTool,
  NotebookEditTool,
  NotebookReadTool,
  PowerShellTool,
  ProposeOutputTool,
  ReadMcpResourceTool,
  ReadTool,
  ReportFindingTool,
  SendMessageTool,
  SendUserFileTool,
  SkillTool,
  SleepTool,
  TaskCreateTool,
  TaskGetTool,
  TaskListTool,
  TaskUpdateTool,
  ThinkTool,
  TodoWriteTool,
  ToolSearchTool,
  WebFetchTool,
  WebSearchTool,
  WriteTool,
])

function named(tools: readonly Tool[]): readonly Tool[] {
  return tools.map((tool) => ({ ...tool, aliases: aliasesOf(tool.name) }))
}

/** Every built-in tool, enabled or not, in the order of its name. */
export function getAllBaseTools(): readonly Tool[] {
  return [...BASE_TOOLS].sort(byName)
}

/** The built-in tools that the policy, the flags and the facts allow. */
export function getTools(options: PoolOptions): readonly Tool[] {
  return available(leave(builtInTools(options), options), options)
}

/** The read-only tools, for `plan` mode and untrusted events. */
export function getReadOnlyTools(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter((tool) => tool.isSearchOrReadCommand || tool.isFree)
}

/**
 * The pool of a run: built-in tools by name, then the others by name. A built-in name or alias always wins, so that no
 * server can take the place of `Bash`. The same policy and servers give the same pool in the same order. A built-in
 * tool that an allow rule names is loaded from the start. If the tools of servers are too many for the first request,
 * they are loaded on demand.
 */
export function assembleToolPool(options: PoolOptions): readonly Tool[] {
  const builtIn = builtInTools(options)
  const more = (options.more ?? []).filter((tool) => !builtIn.some((own) => isNamed(own, tool.name)))
  const own = leave(builtIn, options).map((tool) => (isAllowedByName(tool, options.policy) ? loaded(tool) : tool))
  return available([...own, ...deferManyTools(leave(more.toSorted(byName), options))], options)
}

function builtInTools({ searchEndpoint }: PoolOptions): readonly Tool[] {
  if (searchEndpoint === undefined) return getAllBaseTools()
  const [search] = named([buildWebSearchTool(searchEndpoint)])
  return getAllBaseTools().map((tool) => (tool.name === search?.name ? search : tool))
}

const ALL = 'default'

/** Throws `usage` for a name of `--tools` that no tool has. */
export function checkToolNames(chosen: readonly string[], tools: readonly Tool[]): void {
  const unknown = chosen.find((name) => name !== ALL && !tools.some((tool) => matchesToolName(tool, name)))
  if (unknown === undefined) return
  const close = nearest(
    unknown,
    tools.map((tool) => tool.name),
  )
  const hint = close === undefined ? '`kode-run tools` lists them.' : `Did you mean ${close}?`
  throw new RunError('usage', `--tools: there is no tool ${JSON.stringify(unknown)}. ${hint}`)
}

function leave(tools: readonly Tool[], { policy, only, isBare }: PoolOptions): readonly Tool[] {
  const named = only?.includes(ALL) === true ? undefined : only
  const chosen = named ?? (isBare ? BARE : undefined)
  const offered = tools.filter((tool) => tool.isEnabled() && (!tool.isOptIn || isOptedIn(tool, policy)))
  const kept = offered.filter(
    (tool) => chosen === undefined || tool.name === 'Finish' || chosen.some((name) => matchesToolName(tool, name)),
  )
  return filterToolsByDenyRules(kept, policy)
}

/** Removes tools that are useless in this run. Applied twice, because a tool may need another one that was removed. */
function available(tools: readonly Tool[], { facts = EVERYTHING }: PoolOptions): readonly Tool[] {
  const once = tools.filter((tool) => tool.isAvailable({ ...facts, tools }))
  return once.filter((tool) => tool.isAvailable({ ...facts, tools: once }))
}

/** The tools that a deny rule without a specifier names. They are not offered; a call of one is denied by that rule. */
export function getDeniedTools({ policy, more = [] }: Pick<PoolOptions, 'policy' | 'more'>): readonly Tool[] {
  return [...getAllBaseTools(), ...more].filter((tool) => isToolRemoved(policy, tool))
}

/** Removes tools that a deny rule without a specifier names: they are not even offered. */
export function filterToolsByDenyRules(tools: readonly Tool[], policy: Policy): readonly Tool[] {
  return tools.filter((tool) => !isToolRemoved(policy, tool))
}

function isAllowedByName(tool: Tool, policy: Policy): boolean {
  return policy.rules.some((rule) => rule.list === 'allow' && isNamed(tool, rule.tool))
}

function loaded(tool: Tool): Tool {
  return tool.shouldDefer ? { ...tool, alwaysLoad: true } : tool
}

/** True if an allow rule names it. A tool at the API is not decided call by call: any deny or ask keeps it out. */
function isOptedIn(tool: Tool, policy: Policy): boolean {
  const lists = policy.rules.filter((rule) => isNamed(tool, rule.tool)).map((rule) => rule.list)
  return lists.includes('allow') && (tool.serverTool === undefined || lists.every((list) => list === 'allow'))
}

function byName(a: Tool, b: Tool): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** How many characters the specs of all server tools may take in the first request. */
const ROOM = 4000

/**
 * Defers the tools of MCP servers if there are many: a large server would fill every request with schemas, of which a
 * task needs only a few. Tools with `alwaysLoad` are never deferred.
 */
function deferManyTools(tools: readonly Tool[]): readonly Tool[] {
  const size = tools.reduce((sum, tool) => sum + (isOfServer(tool) ? sizeOf(tool, tools) : 0), 0)
  return size <= ROOM ? tools : tools.map((tool) => (isOfServer(tool) ? { ...tool, shouldDefer: true } : tool))
}

function isOfServer(tool: Tool): boolean {
  return tool.mcpInfo !== undefined && !tool.alwaysLoad
}

function sizeOf(tool: Tool, tools: readonly Tool[]): number {
  const description = tool.description({ tools, cwd: '' })
  const text = typeof description === 'string' ? description : ''
  return JSON.stringify([tool.name, text, tool.inputJSONSchema]).length
}

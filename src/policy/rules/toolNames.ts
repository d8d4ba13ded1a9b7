/** How the text between a rule's parentheses is parsed; `none`: only `Tool(parameter:value)` has a meaning. */
export type SpecifierGrammar = 'command' | 'read' | 'write' | 'domain' | 'name' | 'none'

/** The tools that `Read(…)` and `Edit(…)` rules cover. */
const FAMILIES = {
  Read: ['Read', 'Grep', 'Glob', 'LS', 'NotebookRead'],
  Edit: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'],
} as const

/** Every tool that a rule may name, with its aliases: those of Kode, and older ones of Claude Code. */
export const TOOL_ALIASES = {
  Agent: ['Task', 'TaskTool', 'AgentTool'],
  Architect: ['ArchitectTool'],
  AskExpertModel: ['AskExpertModelTool'],
  AskUserQuestion: ['AskUserQuestionTool'],
  Bash: ['BashTool'],
  BashOutput: ['TaskOutput', 'BashOutputTool', 'TaskOutputTool', 'AgentOutputTool'],
  Edit: ['FileEditTool', 'FileEdit'],
  EnterPlanMode: ['EnterPlanModeTool'],
  EnterWorktree: ['EnterWorktreeTool'],
  ExitPlanMode: ['ExitPlanModeTool', 'exit_plan_mode'],
  ExitWorktree: ['ExitWorktreeTool'],
  Finish: ['FinishTool'],
  Glob: ['GlobTool'],
  Grep: ['GrepTool'],
  KillShell: ['TaskStop', 'KillBash', 'KillShellTool', 'TaskStopTool'],
  LS: ['LSTool', 'lsTool'],
  ListMcpResources: ['ListMcpResourcesTool'],
  MemoryRead: ['MemoryReadTool'],
  MemoryWrite: ['MemoryWriteTool'],
  MultiEdit: ['MultiEditTool'],
  NotebookEdit: ['NotebookEditTool', 'NotebookEditCell'],
  NotebookRead: ['NotebookReadTool', 'ReadNotebook'],
  PowerShell: ['PowerShellTool'],
  ProposeOutput: ['ProposeOutputTool'],
  Read: ['FileReadTool', 'FileRead', 'View'],
  ReadMcpResource: ['ReadMcpResourceTool'],
  ReportFinding: ['ReportFindingTool'],
  SendMessage: ['SendMessageTool'],
  SendUserFile: ['SendUserFileTool'],
  Skill: ['SkillTool', 'SlashCommand'],
  Sleep: ['SleepTool'],
  TaskCreate: ['TaskCreateTool'],
  TaskGet: ['TaskGetTool'],
  TaskList: ['TaskListTool'],
  TaskUpdate: ['TaskUpdateTool'],
  Think: ['ThinkTool'],
  TodoWrite: ['TodoWriteTool'],
  ToolSearch: ['ToolSearchTool'],
  WebFetch: ['WebFetchTool', 'URLFetcher', 'URLFetcherTool'],
  WebSearch: ['WebSearchTool', 'web_search'],
  Write: ['FileWriteTool', 'FileWrite', 'Replace'],
} as const satisfies Record<string, readonly string[]>

/** Tools of Claude Code and Kode that do not exist without a screen; a rule on one has no effect. */
const ABSENT_TOOLS = new Set(
  'Brief Config CronCreate CronDelete CronList LSP Monitor PushNotification REPL RemoteTrigger Snip TeamCreate TeamDelete WebBrowser'.split(
    ' ',
  ),
)

const CANONICAL = new Map<string, string>(
  Object.entries(TOOL_ALIASES).flatMap(([name, aliases]) => [name, ...aliases].map((alias) => [alias, name] as const)),
)

const GRAMMARS: Readonly<Record<string, SpecifierGrammar>> = {
  Bash: 'command',
  Read: 'read',
  Edit: 'write',
  WebFetch: 'domain',
  Agent: 'name',
  Skill: 'name',
}

/** The model-facing name of a tool, given any of its names; an unknown name is returned unchanged. */
export function canonicalName(name: string): string {
  return CANONICAL.get(name) ?? name
}

/** Whether a rule may name the tool: `known` here, `absent` on purpose, or `unknown`. */
export function toolKnowledge(name: string): 'known' | 'absent' | 'unknown' {
  if (CANONICAL.has(name)) return 'known'
  return ABSENT_TOOLS.has(name) ? 'absent' : 'unknown'
}

export function grammarOf(tool: string): SpecifierGrammar {
  return GRAMMARS[tool] ?? 'none'
}

/** `Read` or `Edit` for a tool that their rules cover, otherwise undefined. */
export function familyOf(tool: string): 'Read' | 'Edit' | undefined {
  if (FAMILIES.Read.some((name) => name === tool)) return 'Read'
  return FAMILIES.Edit.some((name) => name === tool) ? 'Edit' : undefined
}

/** All names that rules may use, for "did you mean". */
export function allToolNames(): readonly string[] {
  return [...CANONICAL.keys()]
}

import { wordsIn } from '../../lib/text/words.ts'

/** How the text between a rule's parentheses is parsed; `none`: only `Tool(parameter:value)` has a meaning. */
export type SpecifierGrammar = 'command' | 'read' | 'write' | 'domain' | 'name' | 'none'

/** The tools that `Read(…)` and `Edit(…)` rules cover. */
const FAMILIES = {
  Read: ['Read', 'Grep', 'Glob', 'LS', 'NotebookRead'],
  Edit: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'],
} as const

/** Every tool that a rule may name. */
const NAMES = wordsIn(
  'Agent Architect AskExpertModel AskUserQuestion Bash BashOutput Edit EnterPlanMode EnterWorktree ExitPlanMode',
  'ExitWorktree Finish Glob Grep KillShell LS ListMcpResources MemoryRead MemoryWrite MultiEdit NotebookEdit',
  'NotebookRead PowerShell ProposeOutput Read ReadMcpResource ReportFinding SendMessage SendUserFile Skill',
  'Sleep TaskCreate TaskGet TaskList TaskUpdate Think TodoWrite ToolSearch WebFetch WebSearch Write',
)

/** Other names of tools, those of Kode and older ones of Claude Code, besides `XTool` for `X`. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  Agent: ['Task', 'TaskTool'],
  BashOutput: ['TaskOutput', 'TaskOutputTool', 'AgentOutputTool'],
  Edit: ['FileEditTool', 'FileEdit'],
  ExitPlanMode: ['exit_plan_mode'],
  KillShell: ['TaskStop', 'KillBash', 'TaskStopTool'],
  LS: ['lsTool'],
  NotebookEdit: ['NotebookEditCell'],
  NotebookRead: ['ReadNotebook'],
  Read: ['FileReadTool', 'FileRead', 'View'],
  Skill: ['SlashCommand'],
  WebFetch: ['URLFetcher', 'URLFetcherTool'],
  WebSearch: ['web_search'],
  Write: ['FileWriteTool', 'FileWrite', 'Replace'],
}

/** Tools of Claude Code and Kode that do not exist without a screen; a rule on one has no effect. */
const ABSENT_TOOLS = new Set(
  wordsIn(
    'Brief Config CronCreate CronDelete CronList LSP Monitor PushNotification REPL RemoteTrigger Snip TeamCreate TeamDelete WebBrowser',
  ),
)

const CANONICAL = new Map<string, string>(
  NAMES.flatMap((name) => [name, ...aliasesOf(name)].map((each) => [each, name] as const)),
)

const GRAMMARS: Readonly<Record<string, SpecifierGrammar>> = {
  Bash: 'command',
  Read: 'read',
  Edit: 'write',
  WebFetch: 'domain',
  Agent: 'name',
  Skill: 'name',
}

/** The names that a built-in tool has besides its own, in calls and in rules. */
export function aliasesOf(tool: string): readonly string[] {
  return [`${tool}Tool`, ...(OTHER_NAMES[tool] ?? [])]
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

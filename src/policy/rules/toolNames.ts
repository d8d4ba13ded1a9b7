import { wordsIn } from '../../lib/text/words.ts'

/** How the text between a rule's parentheses is parsed; `none`: only `Tool(parameter:value)` has a meaning. */
type SpecifierGrammar = 'command' | 'read' | 'write' | 'domain' | 'name' | 'none'

/** What rules know of a tool. */
type KnownTool = {
  readonly grammar?: SpecifierGrammar
  /** The rules that cover it: `Read(…)` or `Edit(…)`. */
  readonly family?: 'Read' | 'Edit'
  /** Other names, those of Kode and older ones of Claude Code, besides `XTool` for `X`. */
  readonly aliases?: string
  /** The fields that rules may name. One that a tool does not have never matches. */
  readonly fields?: string
}

/** Every tool that a rule may name. */
const TOOLS: ReadonlyMap<string, KnownTool> = new Map(
  Object.entries<KnownTool>({
    Agent: { grammar: 'name', aliases: 'Task TaskTool' },
    Architect: { fields: 'prompt context' },
    AskExpertModel: { fields: 'question context expert_model' },
    AskUserQuestion: { fields: 'questions answers' },
    Bash: { grammar: 'command' },
    BashOutput: { aliases: 'TaskOutput TaskOutputTool AgentOutputTool', fields: 'bash_id task_id block timeout' },
    Edit: { grammar: 'write', family: 'Edit', aliases: 'FileEditTool FileEdit' },
    EnterPlanMode: { fields: '' },
    EnterWorktree: { fields: 'name' },
    ExitPlanMode: { aliases: 'exit_plan_mode', fields: 'plan' },
    ExitWorktree: { fields: 'discard_changes' },
    Finish: { fields: 'status summary output' },
    Glob: { family: 'Read' },
    Grep: { family: 'Read' },
    KillShell: { aliases: 'TaskStop KillBash TaskStopTool', fields: 'shell_id task_id' },
    LS: { family: 'Read', aliases: 'lsTool' },
    ListMcpResources: { fields: 'server' },
    MemoryRead: { fields: 'file_path' },
    MemoryWrite: { fields: 'file_path content' },
    MultiEdit: { family: 'Edit' },
    NotebookEdit: { family: 'Edit', aliases: 'NotebookEditCell' },
    NotebookRead: { family: 'Read', aliases: 'ReadNotebook' },
    PowerShell: { fields: 'command timeout description' },
    ProposeOutput: { fields: 'output' },
    Read: { grammar: 'read', family: 'Read', aliases: 'FileReadTool FileRead View' },
    ReadMcpResource: { fields: 'server uri' },
    ReportFinding: { fields: 'path line end_line severity title message' },
    SendMessage: { fields: 'to message summary' },
    SendUserFile: { fields: 'files caption' },
    Skill: { grammar: 'name', aliases: 'SlashCommand' },
    Sleep: { fields: 'duration_ms reason' },
    TaskCreate: { fields: 'subject description activeForm owner metadata blockedBy' },
    TaskGet: { fields: 'taskId' },
    TaskList: { fields: '' },
    TaskUpdate: { fields: 'taskId subject description activeForm metadata status owner addBlockedBy addBlocks' },
    Think: { fields: 'thought' },
    TodoWrite: { fields: 'todos' },
    ToolSearch: { fields: 'query max_results' },
    WebFetch: { grammar: 'domain', aliases: 'URLFetcher URLFetcherTool' },
    WebSearch: { aliases: 'web_search', fields: 'query allowed_domains blocked_domains' },
    Write: { family: 'Edit', aliases: 'FileWriteTool FileWrite Replace' },
  }),
)

/** Tools of Claude Code and Kode that do not exist without a screen; a rule on one has no effect. */
const ABSENT_TOOLS = new Set(
  wordsIn(
    'Brief Config CronCreate CronDelete CronList LSP Monitor PushNotification REPL RemoteTrigger Snip TeamCreate TeamDelete WebBrowser',
  ),
)

const CANONICAL = new Map<string, string>(
  [...TOOLS.keys()].flatMap((name) => [name, ...aliasesOf(name)].map((each) => [each, name] as const)),
)

/** The names that a built-in tool has besides its own, in calls and in rules. */
export function aliasesOf(tool: string): readonly string[] {
  return [`${tool}Tool`, ...(TOOLS.get(tool)?.aliases?.split(' ') ?? [])]
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
  return TOOLS.get(tool)?.grammar ?? 'none'
}

/** `Read` or `Edit` for a tool that their rules cover, otherwise undefined. */
export function familyOf(tool: string): KnownTool['family'] {
  return TOOLS.get(tool)?.family
}

/** The fields that rules on a tool may test; undefined for tools of servers and library users. */
export function toolParameters(tool: string): readonly string[] | undefined {
  return TOOLS.get(tool)
    ?.fields?.split(' ')
    .filter((name) => name !== '')
}

/** All names that rules may use, for "did you mean". */
export function allToolNames(): readonly string[] {
  return [...CANONICAL.keys()]
}

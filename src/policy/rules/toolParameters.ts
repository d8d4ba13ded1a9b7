/** The fields that rules may name, by tool. A field that a tool does not have never matches. */
const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    Architect: 'prompt context',
    AskExpertModel: 'question context expert_model',
    AskUserQuestion: 'questions answers',
    BashOutput: 'bash_id task_id block timeout',
    EnterPlanMode: '',
    EnterWorktree: 'name',
    ExitPlanMode: 'plan',
    ExitWorktree: 'discard_changes',
    Finish: 'status summary output',
    KillShell: 'shell_id task_id',
    ListMcpResources: 'server',
    MemoryRead: 'file_path',
    MemoryWrite: 'file_path content',
    PowerShell: 'command timeout description',
    ProposeOutput: 'output',
    ReadMcpResource: 'server uri',
    ReportFinding: 'path line end_line severity title message',
    SendMessage: 'to message summary',
    SendUserFile: 'files caption',
    Sleep: 'duration_ms reason',
    TaskCreate: 'subject description activeForm owner metadata blockedBy',
    TaskGet: 'taskId',
    TaskList: '',
    TaskUpdate: 'taskId subject description activeForm metadata status owner addBlockedBy addBlocks',
    Think: 'thought',
    TodoWrite: 'todos',
    ToolSearch: 'query max_results',
    WebSearch: 'query allowed_domains blocked_domains',
  }).map(([tool, names]) => [tool, names.split(' ').filter((name) => name !== '')]),
)

/** The fields that rules on a tool may test; undefined for tools of servers and library users. */
export function toolParameters(tool: string): readonly string[] | undefined {
  return PARAMETERS.get(tool)
}

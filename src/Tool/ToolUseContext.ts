import type { CommandAccess } from '../contracts/commands.ts'
import type { Decision, PermissionMode } from '../contracts/decision.ts'
import type { RunEvent } from '../contracts/events.ts'
import type { FileAccess, ReadStamp } from '../contracts/files.ts'
import type { Message } from '../contracts/messages.ts'
import type { NetworkAccess } from '../contracts/network.ts'
import type { PathForms } from '../contracts/subject.ts'
import type { RunGit } from '../git/own/ownGit.ts'
import type { ProposedOutput } from '../lib/proposedOutput.ts'
import type { Tool } from '../Tool.ts'
import type {
  AgentAnswer,
  AgentInfo,
  AgentRequest,
  BlobStore,
  FinishReport,
  McpAccess,
  ModelQuestion,
  SkillInfo,
  TaskStore,
  TodoStore,
} from './stores.ts'

/** What a tool needs to determine what a call touches, without touching it. */
export interface SubjectContext {
  /** The project root, absolute and resolved. Every Bash call starts there. */
  readonly cwd: string
  /** The child's HOME, absolute: what `~` means in a command line. */
  readonly home: string
  /** The forms of a path; relative ones start at `cwd`. Reads links, but opens nothing. */
  resolvePath(path: string, cwd?: string): PathForms
}

/** What a call may use. A tool gets nothing else from the run. */
export interface ToolUseContext extends SubjectContext {
  /** Absolute, resolved; the project root and `--add-dir`. */
  readonly workingDirectories: readonly string[]
  readonly signal: AbortSignal
  /** When the run must end its work, on the monotonic clock (`performance.now()`), milliseconds. */
  readonly deadline: number
  readonly toolUseId: string
  /** Undefined in the main loop. */
  readonly agentId: string | undefined
  /** The `Agent` call that this sub-agent belongs to; null in the main loop. */
  readonly parentToolUseId: string | null
  /** Files that were read, by resolved path. Edit and Write check here whether the model knows a file. */
  readonly readFileState: Map<string, ReadStamp>
  readonly tools: readonly Tool[]
  /** The conversation up to the answer that contains this call. */
  readonly messages: readonly Message[]
  readonly model: string
  readonly isVerbose: boolean
  /** Why this call is allowed; undefined while it is being validated. */
  readonly decision: Decision | undefined
  /** The text that runs, from the tool's `canonicalText`; undefined: run the model's own (bare `Bash` without scoped rules). */
  readonly canonical: string | undefined
  readonly files: FileAccess
  readonly commands: CommandAccess
  /** Git in kode-run's own directory, never in the checkout; for worktrees. */
  readonly ownGit: RunGit
  /** Makes or removes a worktree while nothing is compared with the checkout: no command is blamed for it. */
  changeWorktree<T>(worktree: string, work: () => Promise<T>): Promise<T>
  readonly network: NetworkAccess
  readonly blobs: BlobStore
  /** Called per path by tools that walk folders (Grep, Glob, LS). */
  mayRead(path: string): boolean
  /** Called for the first URL and for every redirect. */
  mayFetch(url: string): Decision
  /** Called per server by ListMcpResources when it lists all of them. */
  mayListResources(server: string): boolean
  /** One request outside the loop; its prompt, answer and cost are recorded. Throws `ModelError`. */
  askModel(question: ModelQuestion): Promise<string>
  runAgent(request: AgentRequest): Promise<AgentAnswer>
  /** Runs lines as Bash calls of their own, judged and recorded; their outputs, or why there is none. */
  runCommands(lines: readonly string[]): Promise<readonly string[]>
  readonly sessionId: string
  /** Ids of the background agents of this loop that have not answered yet. */
  agentsAtWork(): readonly string[]
  setMode(mode: PermissionMode): void
  /** Moves the working directory of the whole run (worktrees). The path must be among the caller's subjects. */
  setCwd(path: string): Promise<void>
  readonly mode: PermissionMode
  /** The initial mode of this loop, from policy and flags. ExitPlanMode returns to it, never beyond it. */
  readonly startMode: PermissionMode
  readonly tasks: TaskStore
  readonly todos: TodoStore
  /** `run.answers` of the policy: question → answer. */
  readonly answers: Readonly<Record<string, string>>
  readonly mcp: McpAccess
  /** Folder for files handed to the user, beside the transcript. */
  readonly artifacts: string
  /** Folder for memory that outlives the run (`memory:` of the policy); undefined if there is none. */
  readonly memory: string | undefined
  /** Like `files`, with this folder as the only root. `memoryFiles` exists if `memory` does. */
  readonly artifactFiles: FileAccess
  readonly memoryFiles: FileAccess | undefined
  readonly skills: readonly SkillInfo[]
  readonly agents: readonly AgentInfo[]
  /** Loads deferred tools; returns the names that are new. */
  loadTools(names: readonly string[]): readonly string[]
  /** Ends the run in good order; only `Finish` calls it. Returns what is wrong with the output, or null. */
  finish(report: FinishReport): string | null
  /** Writes an output for `kode-run apply`, or returns why it is refused. Only `ProposeOutput` calls it. */
  proposeOutput(output: ProposedOutput): string | undefined
  /** Redacts a text that leaves the run (artifacts). Throws if it cannot. */
  redact(text: string): string
  /** Sends the tool's own event into the run's stream, as one of the loop that called it. */
  notify(event: OwnEvent<RunEvent>): void
}

type OwnEvent<Event> = Event extends unknown ? Omit<Event, 'parent_tool_use_id'> : never

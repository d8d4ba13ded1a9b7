import type { CommandAccess } from '../contracts/commands.ts'
import type { Decision, PermissionMode } from '../contracts/decision.ts'
import type { RunEvent } from '../contracts/events.ts'
import type { FileAccess, ReadStamp } from '../contracts/files.ts'
import type { Message } from '../contracts/messages.ts'
import type { NetworkAccess } from '../contracts/network.ts'
import type { PathForms } from '../contracts/subject.ts'
import type { RunGit } from '../lib/git/ownGit.ts'
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

/** What is needed to say what a call touches, without touching it. */
export interface SubjectContext {
  /** The project root, absolute and resolved; where every Bash call starts. */
  readonly cwd: string
  /** The child's HOME, absolute: what `~` means in a command line. */
  readonly home: string
  /** The forms of a path; relative ones start at `cwd`. Looks at links, opens nothing. */
  resolvePath(path: string, cwd?: string): PathForms
}

/** What a call may use. Functions and a few values, made in `run.ts`; nothing else reaches a tool. */
export interface ToolUseContext extends SubjectContext {
  /** Absolute, resolved; the project root and `--add-dir`. */
  readonly workingDirectories: readonly string[]
  readonly signal: AbortSignal
  /** End of the run on the monotonic clock (`performance.now()`), milliseconds. */
  readonly deadline: number
  readonly toolUseId: string
  /** Undefined in the main loop. */
  readonly agentId: string | undefined
  /** The `Agent` call that this sub-agent belongs to; null in the main loop. For events of a tool's own. */
  readonly parentToolUseId: string | null
  /** What was read, by resolved path: Edit and Write ask it whether the model knows the file. */
  readonly readFileState: Map<string, ReadStamp>
  readonly tools: readonly Tool[]
  /** The conversation so far, up to the answer that holds this call. */
  readonly messages: readonly Message[]
  /** The model that asks, by its id. */
  readonly model: string
  /** `--verbose`. */
  readonly isVerbose: boolean
  /** Why this call is allowed; undefined while it is being validated. */
  readonly decision: Decision | undefined
  /** The text that runs, from the tool's `canonicalText`; undefined: run the model's own (bare `Bash` without scoped rules). */
  readonly canonical: string | undefined
  readonly files: FileAccess
  readonly commands: CommandAccess
  /** Git in a directory of our own, never in the checkout: worktrees. */
  readonly ownGit: RunGit
  readonly network: NetworkAccess
  readonly blobs: BlobStore
  /** Asked per path by tools that walk (Grep, Glob, LS). */
  mayRead(path: string): boolean
  /** Asked for the first URL and for every redirect. */
  mayFetch(url: string): Decision
  /** One request beside the loop; its prompt, answer and cost are recorded. Throws `ModelError`. */
  askModel(question: ModelQuestion): Promise<string>
  runAgent(request: AgentRequest): Promise<AgentAnswer>
  /** Ids of the background agents of this loop that have not answered yet. */
  agentsAtWork(): readonly string[]
  setMode(mode: PermissionMode): void
  /** Moves the working directory of the whole run (worktrees). The path must be judged by the caller's subjects. */
  setCwd(path: string): Promise<void>
  readonly mode: PermissionMode
  /** The mode that policy and flags gave this loop. ExitPlanMode goes back to it, never beyond it. */
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
  /** The guard of `files`, with this folder as its only root; `memoryFiles` is there when `memory` is. */
  readonly artifactFiles: FileAccess
  readonly memoryFiles: FileAccess | undefined
  readonly skills: readonly SkillInfo[]
  readonly agents: readonly AgentInfo[]
  /** Loads deferred tools; returns the names that are new. */
  loadTools(names: readonly string[]): readonly string[]
  /** Ends the run well; only `Finish` calls it. Returns what is wrong with the output, or null. */
  finish(report: FinishReport): string | null
  /** Writes an output down for `kode-run apply`; returns what stands against it. Only `ProposeOutput` calls it. */
  proposeOutput(output: ProposedOutput): string | undefined
  /** Removes secrets from a text that leaves the run (artifacts). Throws rather than let one through. */
  redact(text: string): string
  /** Sends an event of the tool's own into the run's stream. */
  notify(event: RunEvent): void
}

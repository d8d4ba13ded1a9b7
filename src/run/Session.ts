import type { Config } from '../config/resolveConfig.ts'
import { NO_FILES, type TouchedFiles } from '../context/touchedFiles.ts'
import type { PermissionMode } from '../contracts/decision.ts'
import type { RunEvent, RunOrigin } from '../contracts/events.ts'
import type { FileAccess } from '../contracts/files.ts'
import type { ModelClient } from '../contracts/model.ts'
import type { NetworkAccess } from '../contracts/network.ts'
import type { Hooks } from '../hooks/Hooks.ts'
import type { Feed } from '../lib/async/createFeed.ts'
import type { Checkout } from '../lib/git/readCheckout.ts'
import type { Redactor } from '../lib/secrets/redact.ts'
import type { McpServers } from '../mcp/McpServers.ts'
import type { Policy } from '../policy/Policy.ts'
import type { Limits } from '../query/createLimits.ts'
import type { Finished, LoopEnd } from '../query/Loop.ts'
import type { Transcript } from '../report/transcript/transcript.ts'
import type { AgentInfo, ReadStamp, SkillInfo, TaskStore, TodoStore, Tool } from '../Tool.ts'
import type { Isolated } from './createIsolated.ts'
import type { Transactions } from './effects/openTransactions.ts'
import type { Outputs } from './record/openOutputs.ts'
import type { Resumed } from './resume/loadResumed.ts'
import type { Children } from './start/openChildren.ts'

/** Everything that the loops of one run share. Made once at the start; only `place` and the stores change. */
export type Session = {
  readonly config: Config
  readonly policy: Policy
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What child processes see. */
  readonly childEnvironment: Readonly<Record<string, string>>
  readonly sessionId: string
  /** The task; of a resumed run its own and what was added to it. */
  readonly prompt: string
  /** What this run was asked for; empty where it only goes on. */
  readonly newPrompt: string
  readonly resumed: Resumed | undefined
  readonly home: string
  readonly origin: RunOrigin | undefined
  readonly model: ModelClient
  readonly transcript: Transcript
  readonly redactor: Redactor
  readonly children: Children
  readonly transactions: Transactions
  readonly network: NetworkAccess
  readonly pool: readonly Tool[]
  /** Not offered, because a deny rule names them. */
  readonly deniedTools: readonly Tool[]
  readonly hooks: Hooks | undefined
  readonly servers: McpServers | undefined
  readonly limits: Limits
  readonly checkout: Checkout
  readonly agents: readonly AgentInfo[]
  readonly skills: readonly SkillInfo[]
  /** Where and when the run works; the first message of each conversation says it. */
  readonly environmentNote: string
  /** What AGENTS.md and CLAUDE.md say, fenced; empty without them. */
  readonly instructions: string
  /** Replaces the system prompt of the main loop. */
  readonly systemPrompt: string | undefined
  readonly appendSystemPrompt: string | undefined
  /** What the agent proposes for a later step. */
  readonly outputs: Outputs
  readonly outputSchema: OutputSchema | undefined
  readonly tasks: TaskStore
  readonly todos: TodoStore
  /** Folder for files handed to the user, beside the transcript. */
  readonly artifacts: string
  readonly artifactFiles: FileAccess
  readonly memoryFiles: FileAccess | undefined
  /** Ends the run; its reason is a `RunError`. */
  readonly signal: AbortSignal
  /** End of the run on the monotonic clock, milliseconds. */
  readonly deadline: number
  readonly startedAt: number
  /** Closes what the start opened, the last first; the transcript stays open. Never throws, and closes once. */
  close(): Promise<void>
  /** Events that arose outside the stream (hooks, side requests) and wait for it. */
  readonly pending: RunEvent[]
  /** Records of the run and files of the runner: no tool touches them. */
  readonly records: readonly string[]
  readonly blobFolder: string
  /** Joins the events of agents in the background to those of the main loop. */
  readonly feed: Feed<RunEvent>
  readonly place: Place
  /** Where agents work in worktrees of their own. */
  readonly isolated: Isolated
  /** Set where a sub-agent came to an end that is the end of the run. */
  readonly halt: { end?: Pick<LoopEnd, 'reason' | 'detail'> }
}

/** What a tool may move: the mode, the folder, the files that may be opened from there. */
export type Place = {
  mode: PermissionMode
  cwd: string
  files: FileAccess
  /** The run's policy, anchored at `cwd`. */
  policy: Policy
}

/** A JSON Schema for the structured output; `check` says what is wrong, or null. */
export type OutputSchema = {
  readonly schema: Readonly<Record<string, unknown>>
  check(output: unknown): string | null
}

/** What one conversation keeps for itself; a sub-agent that is spoken to again still has it. */
export type LoopMemory = {
  readonly todos: TodoStore
  readonly readFileState: Map<string, ReadStamp>
  readonly loadedTools: Set<string>
  /** The first message of a conversation that was compacted, and the files it touched until then. */
  task: string | undefined
  files: TouchedFiles
  /** Denied calls, one line each: a compaction keeps them. */
  readonly denied: string[]
  report: Finished | undefined
  schemaFailures: number
}

/** A loop that knows nothing yet, or what the resumed one knew. */
export function newLoopMemory(todos: TodoStore, resumed?: Resumed): LoopMemory {
  return {
    todos,
    readFileState: new Map(),
    loadedTools: new Set(resumed?.event.loaded_tools),
    task: resumed?.event.task,
    files: resumed?.event.files ?? NO_FILES,
    denied: [...(resumed?.event.denied ?? [])],
    report: undefined,
    schemaFailures: 0,
  }
}

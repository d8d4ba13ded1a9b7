import { NO_FILES } from '../context/touchedFiles.ts'
import type { PermissionMode } from '../contracts/decision.ts'
import type { RunError } from '../contracts/errors.ts'
import type { InitEvent, RunEvent } from '../contracts/events.ts'
import type { FileAccess } from '../contracts/files.ts'
import type { ModelClient } from '../contracts/model.ts'
import type { Checkout } from '../git/repository/readCheckout.ts'
import type { Hooks } from '../hooks/Hooks.ts'
import { mergeGenerators } from '../lib/async/mergeGenerators.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import type { Redactor } from '../lib/secrets/redact.ts'
import type { FilledTemplate } from '../lib/text/fillTemplate.ts'
import type { McpServers } from '../mcp/McpServers.ts'
import type { Policy } from '../policy/Policy.ts'
import type { Limits } from '../query/createLimits.ts'
import type { Finished, LoopEnd } from '../query/Loop.ts'
import type { AgentInfo, ReadStamp, TaskStore, TodoStore } from '../Tool.ts'
import type { Transactions } from './effects/openTransactions.ts'
import type { RunRequest } from './RunRequest.ts'
import type { Outputs } from './record/openOutputs.ts'
import type { Records } from './record/openRecords.ts'
import type { Resumed } from './resume/loadResumed.ts'
import type { Inputs, Project } from './start/loadProject.ts'
import type { Children } from './start/openChildren.ts'
import type { RunNetwork } from './start/openNetwork.ts'
import type { Pool } from './start/openPool.ts'

/** What exists before anything is opened. */
export type PreparedRun = {
  readonly resumed: Resumed | undefined
  /** With `--once`: SHA-256 of what makes two runs the same. */
  readonly once?: string | undefined
  /** Ends the run; its reason is a `RunError`. */
  readonly signal: AbortSignal
  /** When the run must end its work, on the monotonic clock, milliseconds. What is left is for its records. */
  readonly deadline: number
  readonly end: (reason: RunError) => void
}

/** What the run was given. Its `config` has the model and the limits of `--agent`, its `policy` protects its own files. */
type Given = Pick<RunRequest, 'config' | 'policy' | 'environment' | 'home' | 'origin'> &
  Required<Pick<RunRequest, 'attachments' | 'isNextMessage' | 'variables'>>

/**
 * Everything that the loops of one run share: what it was given, and what each step of the start opened. Created once
 * at the start; only `place` and the stores change.
 */
export type Session = Given & PreparedRun & Records & Inputs & Project & Pool & Opened

type Opened = {
  /** The task. For a resumed run: the original task and the new prompt. */
  readonly prompt: string
  /** The prompt of this run; empty if it only resumes another. */
  readonly newPrompt: string
  /** The same, with the commands of a command file, whose outputs the agent gets in their places. */
  readonly template: FilledTemplate
  readonly model: ModelClient
  readonly redactor: Redactor
  readonly children: Children
  readonly transactions: Transactions
  readonly network: RunNetwork
  readonly hooks: Hooks | undefined
  readonly servers: McpServers | undefined
  readonly limits: Limits
  readonly checkout: Checkout
  readonly mainAgent: AgentInfo | undefined
  readonly plugins: NonNullable<InitEvent['plugins']>
  /** Place and time of the run, for the first message of each conversation. */
  readonly environmentNote: string
  readonly outputs: Outputs
  readonly tasks: TaskStore
  readonly todos: TodoStore
  readonly artifactFiles: FileAccess
  readonly memoryFiles: FileAccess | undefined
  readonly startedAt: number
  /** Closes what the start opened, in reverse order, except the transcript. Never throws; repeated calls do nothing. */
  close(): Promise<void>
  /** Events from outside the stream (hooks, side requests) that wait to be yielded. */
  readonly pending: RunEvent[]
  /** Joins the events of agents in the background to those of the main loop. */
  readonly feed: ReturnType<typeof createFeed<RunEvent>>
  readonly place: Place
  /** The worktrees of agents that work apart from the project. */
  readonly isolated: ReturnType<typeof createIsolated>
  /** Set if a sub-agent ended in a way that ends the run. */
  readonly halt: { end?: Pick<LoopEnd, 'reason' | 'detail'> }
}

/** What tools can change: the mode, the folder, and the files that can be opened from there. */
export type Place = {
  mode: PermissionMode
  cwd: string
  files: FileAccess
  /** The run's policy, anchored at `cwd`. */
  policy: Policy
}

/** The memory of one conversation. A sub-agent keeps it when it gets another message. */
export type LoopMemory = ReturnType<typeof newLoopMemory>

export function newLoopMemory(todos: TodoStore, resumed?: Resumed) {
  return {
    todos,
    readFileState: new Map<string, ReadStamp>(),
    loadedTools: new Set(resumed?.event.loaded_tools),
    /** The original first message of a compacted conversation, and the files touched before. */
    task: resumed?.event.task,
    files: resumed?.event.files ?? NO_FILES,
    /** Denied calls, one line each: a compaction keeps them. */
    denied: [...(resumed?.event.denied ?? [])],
    report: undefined as Finished | undefined,
    schemaFailures: 0,
  }
}

/** A generator that others may join while it is read. Each item is processed before its own source continues. */
export function createFeed<Item>() {
  const merge = mergeGenerators<Item>()
  return {
    add: merge.add,
    /** Reads `main` and every source that is added meanwhile. Returns the value of `main` after all have ended. */
    async *join<End>(main: AsyncGenerator<Item, End, undefined>): AsyncGenerator<Item, End, undefined> {
      const ends: End[] = []
      async function* drive(): AsyncGenerator<Item, void, undefined> {
        ends.push(yield* main)
      }
      merge.add(drive())
      yield* merge
      return ends[0] as End
    },
  }
}

/** The worktrees of agents that work apart from the project, each with its place; none at first. */
export function createIsolated() {
  const places = new Map<string, Place>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    places,
    /** The worktree's place that a path belongs to; undefined for paths of the project itself. */
    placeOf: (path: string) => [...places].find(([folder]) => isWithin(path, folder))?.[1],
    /** Runs changes to the folder of worktrees one after the other. */
    inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
      const done = last.then(work)
      last = done.catch(() => undefined)
      return done
    },
    settled: () => last,
  }
}

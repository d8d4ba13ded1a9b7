import * as z from 'zod'
import { taskShape, type todoSchema } from '../contracts/events/itemShapes.ts'
import type { ToolResultContent } from '../contracts/messages.ts'

/** Bodies too large for a record: `blobs/<sha256>` beside the transcript, redacted. */
export interface BlobStore {
  /** Stores and returns the absolute path. */
  put(content: string | Uint8Array): string
  /** True for a path inside the run's own blob folder, which Read may always open. */
  owns(path: string): boolean
}

export type ModelQuestion = {
  readonly purpose: string
  readonly prompt: string
  readonly system?: string
  /** `small`, `main` and `expert` are the configured models; anything else is a model id. */
  readonly model: string
  readonly maxTokens?: number
}

export type AgentInfo = {
  readonly name: string
  readonly description: string
  readonly prompt: string
  readonly tools: '*' | readonly string[]
  readonly disallowedTools?: readonly string[]
  readonly model?: string
  readonly maxTurns?: number
  readonly maxBudgetUsd?: number
  readonly source: string
}
export type AgentRequest = {
  readonly agent: string
  readonly prompt: string
  readonly description: string
  /** Replaces the model of its definition. */
  readonly model?: string
  /** Set to continue a sub-agent that has answered before; `agent` is then ignored. */
  readonly agentId?: string
  /** Runs in the background: its answer is delivered to the loop later. */
  readonly isBackground?: boolean
  /** Works in its own worktree; its changes are returned as a patch. */
  readonly isIsolated?: boolean
}
export type AgentAnswer = Readonly<z.infer<typeof agentAnswerSchema>>

export type SkillInfo = {
  readonly name: string
  readonly description: string
  readonly path: string
  /** Further `${NAME}` that its text may use. */
  readonly variables?: Readonly<Record<string, string>>
}

export type Task = Readonly<z.infer<typeof taskSchema>>
export interface TaskStore {
  create(task: Omit<Task, 'id' | 'status' | 'blockedBy'> & { readonly blockedBy?: readonly string[] }): Task
  get(id: string): Task | undefined
  /** Throws on an unknown id and on a dependency cycle. */
  update(id: string, change: Partial<Omit<Task, 'id'>>): Task
  list(): readonly Task[]
}

export type Todo = Readonly<z.infer<typeof todoSchema>>
export interface TodoStore {
  get(): readonly Todo[]
  set(todos: readonly Todo[]): void
}

export type McpResource = {
  readonly server: string
  readonly uri: string
  readonly name: string
  readonly mimeType?: string
  readonly description?: string
}
export interface McpAccess {
  serversWithResources(): readonly string[]
  listResources(server: string, signal?: AbortSignal): Promise<readonly McpResource[]>
  readResource(server: string, uri: string, signal?: AbortSignal): Promise<readonly ToolResultContent[]>
}

/** The agent's report when it is done. */
export type FinishReport = {
  readonly status: 'completed' | 'blocked' | 'failed'
  readonly summary: string
  readonly output?: unknown
}

export const agentAnswerSchema = z.object({
  agentId: z.string(),
  text: z.string(),
  isError: z.boolean(),
  turns: z.number(),
  /** True for an agent that was started in the background: there is no text yet. */
  isAtWork: z.boolean().exactOptional(),
})

export const taskSchema = z.object({
  ...taskShape,
  blockedBy: z.array(z.string()).readonly(),
  /** While it is done: "Running the tests". */
  activeForm: z.string().exactOptional(),
  /** Data that the agent stores with it. */
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
})

/** A task in one line, with the tasks of `open` that it still waits for. */
export function describeTask(task: Task, open: ReadonlySet<string>): string {
  const waits = task.blockedBy.filter((id) => open.has(id))
  const owner = task.owner === undefined ? '' : `, ${task.owner}`
  return `${task.id}. [${task.status}${owner}] ${task.subject}${waits.length === 0 ? '' : ` (waits for ${waits.join(', ')})`}`
}

export function openTasks(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.filter(({ status }) => status === 'pending' || status === 'in_progress').map(({ id }) => id))
}

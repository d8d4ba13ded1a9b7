import * as z from 'zod'

/** A task of the shared list, as its tools return it. */
export const taskSchema = z.object({
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']),
  owner: z.string().exactOptional(),
  blockedBy: z.array(z.string()).readonly(),
  /** While it is done: "Running the tests". */
  activeForm: z.string().exactOptional(),
  /** Data that the agent stores with it. */
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
})

type TaskLike = {
  readonly id: string
  readonly subject: string
  readonly status: string
  readonly owner?: string
  readonly blockedBy: readonly string[]
}

/** A task in one line, with the tasks of `open` that it still waits for. */
export function describeTask(task: TaskLike, open: ReadonlySet<string>): string {
  const waits = task.blockedBy.filter((id) => open.has(id))
  const owner = task.owner === undefined ? '' : `, ${task.owner}`
  return `${task.id}. [${task.status}${owner}] ${task.subject}${waits.length === 0 ? '' : ` (waits for ${waits.join(', ')})`}`
}

/** The ids of tasks that are not done. */
export function openTasks(tasks: readonly TaskLike[]): ReadonlySet<string> {
  return new Set(tasks.filter(({ status }) => status === 'pending' || status === 'in_progress').map(({ id }) => id))
}

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

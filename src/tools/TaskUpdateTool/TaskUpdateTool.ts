import * as z from 'zod'
import { taskSchema } from '../../Tool/stores.ts'
import { buildTool, FREE_ON_DEMAND, type Task, type TaskStore } from '../../Tool.ts'

const inputSchema = () =>
  z.strictObject({
    taskId: z.string().describe('the id of the task'),
    subject: z.string().min(1).optional().describe('the task in a few words'),
    description: z.string().optional().describe('what is to be done'),
    activeForm: z.string().optional().describe('while it is done: "Running the tests"'),
    metadata: z.record(z.string(), z.unknown()).optional().describe('added to what is kept; null removes a key'),
    status: z
      .enum(['pending', 'in_progress', 'completed', 'deleted'])
      .optional()
      .describe('the new state; deleted removes it'),
    owner: z.string().optional().describe('who does it'),
    addBlockedBy: z.array(z.string()).optional().describe('ids that come first'),
    addBlocks: z.array(z.string()).optional().describe('ids that wait for this one'),
  })

type TaskUpdateInput = z.infer<ReturnType<typeof inputSchema>>

/** Changes a task. A direct or indirect dependency on itself is refused. */
export const TaskUpdateTool = buildTool({
  name: 'TaskUpdate',
  searchHint: 'task list with dependencies: change status, owner, order',
  ...FREE_ON_DEMAND,
  inputSchema,
  outputSchema: () => z.object({ task: taskSchema, waitsFor: z.array(z.string()).readonly() }),
  description: () => 'Changes a task: status, text, owner, what it waits for.',
  isReadOnly: () => true,
  activity: ({ taskId, status }) => `Task ${taskId}${status === undefined ? '' : `: ${status}`}`,
  async *call(input, context) {
    const task = update(context.tasks, input)
    context.notify({ type: 'system', subtype: 'tasks', tasks: context.tasks.list() })
    const waitsFor = task.blockedBy.filter((id) => !isDone(context.tasks.get(id)))
    yield { type: 'result', data: { task, waitsFor } }
  },
  mapResult({ task, waitsFor }) {
    const isEarly = waitsFor.length > 0 && task.status !== 'pending' && task.status !== 'deleted'
    return {
      content: `Task ${task.id}: ${task.status}${isEarly ? `, although it waits for ${waitsFor.join(', ')}` : ''}`,
    }
  },
})

function update(tasks: TaskStore, input: TaskUpdateInput): Task {
  const { taskId, addBlockedBy = [], addBlocks = [] } = input
  const before = tasks.get(taskId)
  const change = (['subject', 'description', 'status', 'owner', 'activeForm'] as const).flatMap((key) =>
    input[key] === undefined ? [] : [[key, input[key]] as const],
  )
  const blockedBy = [...(before?.blockedBy ?? []), ...addBlockedBy]
  const kept = Object.entries({ ...before?.metadata, ...input.metadata }).filter(([, value]) => value !== null)
  const metadata = kept.length === 0 && before?.metadata === undefined ? {} : { metadata: Object.fromEntries(kept) }
  const task = tasks.update(taskId, { ...Object.fromEntries(change), ...metadata, blockedBy })
  for (const id of addBlocks) tasks.update(id, { blockedBy: [...(tasks.get(id)?.blockedBy ?? []), taskId] })
  return task
}

function isDone(task: Task | undefined): boolean {
  return task === undefined || task.status === 'completed' || task.status === 'deleted'
}

import * as z from 'zod'
import { describeTask, openTasks, taskSchema } from '../../Tool/stores.ts'
import { buildTool, FREE_ON_DEMAND, ONLY_READS, type Task } from '../../Tool.ts'

/** One task with its whole text. */
export const TaskGetTool = buildTool({
  name: 'TaskGet',
  searchHint: 'task list with dependencies: read one',
  ...FREE_ON_DEMAND,
  inputSchema: () => z.strictObject({ taskId: z.string().describe('the id of the task') }),
  outputSchema: () => z.object({ task: taskSchema, line: z.string(), blocks: z.array(z.string()).readonly() }),
  description: () => 'One task of the shared list, with its whole text.',
  ...ONLY_READS,
  activity: ({ taskId }) => `Reading task ${taskId}`,
  async *call({ taskId }, { tasks }) {
    const task = tasks.get(taskId)
    if (task === undefined) throw new Error(`There is no task ${taskId}.`)
    const all = tasks.list()
    const blocks = all.filter((other) => other.blockedBy.includes(taskId)).map((other) => other.id)
    yield { type: 'result', data: { task, line: describeTask(task, openTasks(all)), blocks } }
  },
  mapResult: ({ task, line, blocks }) => ({
    content: [line, blocks.length === 0 ? '' : `Waited for by ${blocks.join(', ')}`, task.description, metadataOf(task)]
      .filter((part) => part !== '')
      .join('\n'),
  }),
})

function metadataOf({ metadata }: Task): string {
  return metadata === undefined ? '' : `Metadata: ${JSON.stringify(metadata)}`
}

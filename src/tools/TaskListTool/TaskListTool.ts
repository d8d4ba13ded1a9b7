import * as z from 'zod'
import { describeTask, openTasks, taskSchema } from '../../Tool/stores.ts'
import { buildTool, lazySchema } from '../../Tool.ts'

const inputSchema = lazySchema(() => z.strictObject({}))

const outputSchema = lazySchema(() => z.array(taskSchema).readonly())

/** All tasks, one line each. */
export const TaskListTool = buildTool({
  name: 'TaskList',
  searchHint: 'task list with dependencies: read all',
  shouldDefer: true,
  isFree: true,
  inputSchema,
  outputSchema,
  description: () => 'The shared list of tasks: state, owner, what each waits for.',
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  activity: () => 'Reading the tasks',
  async *call(_input, { tasks }) {
    yield { type: 'result', data: tasks.list() }
  },
  mapResult(tasks) {
    const open = openTasks(tasks)
    return {
      content: tasks.length === 0 ? 'There are no tasks.' : tasks.map((task) => describeTask(task, open)).join('\n'),
    }
  },
})

import * as z from 'zod'
import { describeTask, openTasks, taskSchema } from '../../Tool/stores.ts'
import { buildTool, FREE_ON_DEMAND, ONLY_READS } from '../../Tool.ts'

/** All tasks, one line each. */
export const TaskListTool = buildTool({
  name: 'TaskList',
  searchHint: 'task list with dependencies: read all',
  ...FREE_ON_DEMAND,
  inputSchema: () => z.strictObject({}),
  outputSchema: () => z.array(taskSchema).readonly(),
  description: () => 'The shared list of tasks: state, owner, what each waits for.',
  ...ONLY_READS,
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

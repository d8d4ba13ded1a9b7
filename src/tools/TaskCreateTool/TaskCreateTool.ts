import * as z from 'zod'
import { taskSchema } from '../../Tool/stores.ts'
import { buildTool, FREE_ON_DEMAND } from '../../Tool.ts'

/** Adds a task to the list that all agents of the run share. */
export const TaskCreateTool = buildTool({
  name: 'TaskCreate',
  searchHint: 'task list with dependencies: add',
  ...FREE_ON_DEMAND,
  inputSchema: () =>
    z.strictObject({
      subject: z.string().min(1).describe('the task in a few words: "Run the tests"'),
      description: z.string().optional().describe('what is to be done'),
      activeForm: z.string().exactOptional().describe('while it is done: "Running the tests"'),
      owner: z.string().exactOptional().describe('who does it'),
      metadata: z.record(z.string(), z.unknown()).exactOptional().describe('what to keep with the task'),
      blockedBy: z.array(z.string()).exactOptional().describe('ids of tasks that come first'),
    }),
  outputSchema: () => taskSchema,
  description: () => 'Adds a task to the list that you share with your sub-agents.',
  isReadOnly: () => true,
  activity: ({ subject }) => `New task: ${subject}`,
  async *call({ description = '', ...rest }, context) {
    const task = context.tasks.create({ ...rest, description })
    context.notify({ type: 'system', subtype: 'tasks', tasks: context.tasks.list() })
    yield { type: 'result', data: task }
  },
  mapResult: ({ id, subject }) => ({ content: `Task ${id} added: ${subject}` }),
})

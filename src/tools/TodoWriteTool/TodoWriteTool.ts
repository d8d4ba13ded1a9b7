import * as z from 'zod'
import { todoSchema } from '../../contracts/events/itemShapes.ts'
import { counted } from '../../lib/text/words.ts'
import { buildTool } from '../../Tool.ts'

const list = z.array(todoSchema).readonly()

/** Replaces the agent's own list of steps; people see it in the log. */
export const TodoWriteTool = buildTool({
  name: 'TodoWrite',
  isFree: true,
  inputSchema: () =>
    z.strictObject({
      todos: z
        .array(
          z.strictObject({
            content: z.string().min(1).describe('what to do: "Run the tests"'),
            status: z.enum(['pending', 'in_progress', 'completed']).describe('at most one step is in_progress'),
            activeForm: z.string().optional().describe('while it is done: "Running the tests"'),
          }),
        )
        .max(200)
        .describe('the whole new list'),
    }),
  outputSchema: () => z.object({ oldTodos: list, newTodos: list }),
  description: () => 'Replaces your list of steps. Use it for work of three or more steps.',
  isReadOnly: () => true,
  activity: ({ todos }) => {
    const now = todos.find((todo) => todo.status === 'in_progress')
    return now === undefined ? 'Updating the list of steps' : (now.activeForm ?? now.content)
  },
  async *call({ todos }, context) {
    const oldTodos = context.todos.get()
    const newTodos = todos.map((todo) => ({ ...todo, activeForm: todo.activeForm ?? todo.content }))
    context.todos.set(newTodos)
    const tasks = newTodos.map(({ content, status }, index) => ({ id: String(index + 1), subject: content, status }))
    context.notify({ type: 'system', subtype: 'tasks', tasks })
    yield { type: 'result', data: { oldTodos, newTodos } }
  },
  mapResult: ({ newTodos }) => {
    const open = newTodos.filter((todo) => todo.status !== 'completed').length
    return { content: `${counted(newTodos.length, 'step')} noted, ${open} open.` }
  },
  renderResult: ({ newTodos }) =>
    newTodos.map((todo) => `- [${todo.status === 'completed' ? 'x' : ' '}] ${todo.content}`).join('\n'),
})

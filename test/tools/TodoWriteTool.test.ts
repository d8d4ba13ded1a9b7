import { describe, expect, it } from 'vitest'
import { createTodoStore } from '../../src/context/createTodoStore.ts'
import { TodoWriteTool } from '../../src/tools/TodoWriteTool/TodoWriteTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

describe('TodoWrite', () => {
  it('replaces the list, notifies the run, and counts open steps', async () => {
    const todos = createTodoStore([{ content: 'old', status: 'pending', activeForm: 'old' }])
    const context = createToolContext({ todos })
    const { text, data } = await runTool(
      TodoWriteTool,
      {
        todos: [
          { content: 'Run tests', status: 'completed', activeForm: 'Running tests' },
          { content: 'Fix', status: 'in_progress' },
        ],
      },
      context,
    )
    expect(text).toBe('2 steps noted, 1 open.')
    expect(data?.oldTodos.map((todo) => todo.content)).toEqual(['old'])
    expect(todos.get().map((todo) => todo.activeForm)).toEqual(['Running tests', 'Fix'])
    expect(context.events).toMatchObject([
      { subtype: 'tasks', tasks: [{ subject: 'Run tests' }, { status: 'in_progress' }], parent_tool_use_id: null },
    ])
  })

  it.each([[{ todos: [{ content: 'x', status: 'done' }] }], [{ todos: [{ content: '', status: 'pending' }] }], [{}]])(
    'refuses %j',
    async (input) => {
      const todos = createTodoStore()
      expect((await runTool(TodoWriteTool, input, createToolContext({ todos }))).step).toBe('schema')
      expect(todos.get()).toEqual([])
    },
  )

  it('names the current step', () => {
    const todos = [{ content: 'Fix', status: 'in_progress' as const, activeForm: 'Fixing' }]
    expect(TodoWriteTool.activity({ todos })).toBe('Fixing')
    expect(TodoWriteTool.activity({ todos: [] })).toBe('Updating the list of steps')
  })
})

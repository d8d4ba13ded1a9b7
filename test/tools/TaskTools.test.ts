import { describe, expect, it } from 'vitest'
import { createTaskStore } from '../../src/context/createTaskStore.ts'
import { TaskCreateTool } from '../../src/tools/TaskCreateTool/TaskCreateTool.ts'
import { TaskGetTool } from '../../src/tools/TaskGetTool/TaskGetTool.ts'
import { TaskListTool } from '../../src/tools/TaskListTool/TaskListTool.ts'
import { TaskUpdateTool } from '../../src/tools/TaskUpdateTool/TaskUpdateTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

async function createContext() {
  const tasks = createTaskStore()
  const context = createToolContext({ tasks })
  await runTool(TaskCreateTool, { subject: 'Build', description: 'with npm' }, context)
  await runTool(TaskCreateTool, { subject: 'Test', blockedBy: ['1'], owner: 'tester' }, context)
  await runTool(TaskCreateTool, { subject: 'Ship' }, context)
  return { context, tasks }
}

describe('the task tools', () => {
  it('list states, owners and dependencies', async () => {
    const { context } = await createContext()
    expect((await runTool(TaskListTool, {}, context)).text).toBe(
      '1. [pending] Build\n2. [pending, tester] Test (waits for 1)\n3. [pending] Ship',
    )
    expect(context.events.at(-1)).toMatchObject({ subtype: 'tasks', tasks: [{ id: '1' }, { id: '2' }, { id: '3' }] })
  })

  it('show one task with its text and those that wait for it', async () => {
    const { context } = await createContext()
    expect((await runTool(TaskGetTool, { taskId: '1' }, context)).text).toBe(
      '1. [pending] Build\nWaited for by 2\nwith npm',
    )
    const more = { activeForm: 'Building', metadata: { branch: 'a', old: null } }
    expect((await runTool(TaskUpdateTool, { taskId: '1', ...more }, context)).isError).toBe(false)
    expect((await runTool(TaskGetTool, { taskId: '1' }, context)).text).toMatch(/\nMetadata: \{"branch":"a"\}$/)
    expect((await runTool(TaskGetTool, { taskId: '8' }, context)).text).toBe('There is no task 8.')
  })

  it('change the given fields, and dependencies in both directions', async () => {
    const { context, tasks } = await createContext()
    await runTool(TaskUpdateTool, { taskId: '2', status: 'in_progress', addBlocks: ['3'] }, context)
    expect(tasks.get('2')).toMatchObject({ status: 'in_progress', owner: 'tester', blockedBy: ['1'] })
    expect(tasks.get('3')?.blockedBy).toEqual(['2'])
    await runTool(TaskUpdateTool, { taskId: '1', status: 'completed' }, context)
    expect((await runTool(TaskListTool, {}, context)).text).toContain(
      '2. [in_progress, tester] Test\n3. [pending] Ship (waits for 2)',
    )
  })

  it('report a task that starts before its dependencies', async () => {
    const { context } = await createContext()
    const { text } = await runTool(TaskUpdateTool, { taskId: '2', status: 'in_progress' }, context)
    expect(text).toBe('Task 2: in_progress, although it waits for 1')
  })

  it('reject cycles and unknown tasks without changing anything', async () => {
    const { context, tasks } = await createContext()
    expect((await runTool(TaskUpdateTool, { taskId: '1', addBlockedBy: ['2'] }, context)).isError).toBe(true)
    expect((await runTool(TaskUpdateTool, { taskId: '9', status: 'completed' }, context)).text).toBe(
      'There is no task 9.',
    )
    expect((await runTool(TaskCreateTool, { subject: 'X', blockedBy: ['9'] }, context)).isError).toBe(true)
    expect(tasks.list().map((task) => task.blockedBy)).toEqual([[], ['1'], []])
  })

  it('remove deleted tasks', async () => {
    const { context } = await createContext()
    await runTool(TaskUpdateTool, { taskId: '1', status: 'deleted' }, context)
    expect((await runTool(TaskListTool, {}, context)).text).toBe('2. [pending, tester] Test\n3. [pending] Ship')
    expect((await runTool(TaskListTool, {}, createToolContext({ tasks: createTaskStore() }))).text).toBe(
      'There are no tasks.',
    )
  })
})

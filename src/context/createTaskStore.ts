import type { Task, TaskStore } from '../Tool.ts'

/** The tasks of a run, shared by its agents. Ids count from 1, or on from `start`. A cycle is rejected. */
export function createTaskStore(start: readonly Task[] = []): TaskStore {
  const tasks = new Map(start.map((task) => [task.id, task]))
  const get = (id: string): Task | undefined => tasks.get(id)
  const store = (task: Task): Task => {
    requireKnown(task, tasks)
    requireNoCircle(task, tasks)
    tasks.set(task.id, task)
    return task
  }
  return {
    get,
    list: () => [...tasks.values()].filter((task) => task.status !== 'deleted'),
    create({ blockedBy = [], ...task }) {
      return store({ ...task, id: freeId(tasks), status: 'pending', blockedBy: [...new Set(blockedBy)] })
    },
    update(id, change) {
      const task = get(id)
      if (task === undefined || task.status === 'deleted') throw new Error(`There is no task ${id}.`)
      return store({ ...task, ...change, blockedBy: [...new Set(change.blockedBy ?? task.blockedBy)] })
    },
  }
}

/** Ids of deleted tasks are not reused. */
function freeId(tasks: ReadonlyMap<string, Task>): string {
  return String(1 + Math.max(0, ...[...tasks.keys()].map(Number)))
}

function requireKnown(task: Task, tasks: ReadonlyMap<string, Task>): void {
  const unknown = task.blockedBy.filter((id) => id !== task.id && !tasks.has(id))
  if (unknown.length > 0) throw new Error(`There is no task ${unknown.join(', ')}.`)
}

function requireNoCircle(task: Task, tasks: ReadonlyMap<string, Task>): void {
  const seen = new Set<string>()
  const open = [...task.blockedBy]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === task.id) throw new Error(`Task ${task.id} would wait for itself.`)
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...(tasks.get(id)?.blockedBy ?? []))
  }
}

import type { Todo, TodoStore } from '../Tool.ts'

/** The list of steps of one agent, empty at first. */
export function createTodoStore(start: readonly Todo[] = []): TodoStore {
  let todos = start
  return {
    get: () => todos,
    set(next) {
      todos = next
    },
  }
}

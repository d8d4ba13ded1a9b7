import { visibleName } from '../lib/text/visibleName.ts'
import { oneLine } from '../lib/text/words.ts'

/** The call as its rule would be written: `Bash(git push)`, `Read(a.ts)`; with its file, if that is known. */
export function callLabel(tool: string, input: Readonly<Record<string, unknown>>, path?: string | null): string {
  const { todos } = input
  if (Array.isArray(todos)) return `${tool}(${oneLine(todoWords(todos), 200)})`
  const main =
    path ??
    ['command', 'file_path', 'path', 'pattern', 'url', 'notebook_path', 'skill', 'subagent_type']
      .map((key) => input[key])
      .find((value): value is string => typeof value === 'string')
  const first = Object.values(input).find((value) => typeof value === 'string')
  const shown = main ?? first ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input))
  const name = shown === main && input['command'] !== main ? visibleName(shown) : shown
  return name === '' ? tool : `${tool}(${oneLine(name, 200)})`
}

/** `2 of 5 done; now: Write the test`: a list of todos in words. */
function todoWords(todos: readonly unknown[]): string {
  const items = todos.filter((item) => typeof item === 'object' && item !== null) as {
    status?: unknown
    content?: unknown
  }[]
  const done = items.filter(({ status }) => status === 'completed').length
  const now = items.find(({ status }) => status === 'in_progress')?.content
  return `${done} of ${todos.length} done${typeof now === 'string' ? `; now: ${now}` : ''}`
}

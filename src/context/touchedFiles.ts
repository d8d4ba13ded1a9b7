import type { ToolIntentEvent } from '../contracts/events.ts'
import type { Message, ToolUseBlock } from '../contracts/messages.ts'

/** Files that a conversation's calls named, in the order of their first call. */
export type TouchedFiles = { readonly read: readonly string[]; readonly changed: readonly string[] }

const READERS = ['Read', 'NotebookRead']
const WRITERS = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']

export const NO_FILES: TouchedFiles = { read: [], changed: [] }

/** Both merged, in order, without duplicates. A file that was changed in one of them does not count as read. */
export function mergeTouchedFiles(before: TouchedFiles, after: TouchedFiles): TouchedFiles {
  const changed = new Set([...before.changed, ...after.changed])
  const read = new Set([...before.read, ...after.read].filter((path) => !changed.has(path)))
  return { read: [...read], changed: [...changed] }
}

/** The files that a conversation's calls tried to read and to change. A changed file does not count as read. */
export function touchedFiles(messages: readonly Message[]): TouchedFiles {
  const calls = messages.flatMap((message) => {
    return message.role === 'assistant' ? message.content.filter((block) => block.type === 'tool_use') : []
  })
  const pathsOf = (names: readonly string[]): Set<string> =>
    new Set(calls.filter((call) => names.includes(call.name)).flatMap((call) => pathsNamed(call.input)))
  const changed = pathsOf(WRITERS)
  return { read: [...pathsOf(READERS)].filter((path) => !changed.has(path)), changed: [...changed] }
}

function pathsNamed(input: ToolUseBlock['input']): string[] {
  return [input['file_path'] ?? input['notebook_path']].filter((path) => typeof path === 'string')
}

/** The file that a call is to change, if its tool is one that changes files. */
export function changedBy({ tool_name, tool_input }: Pick<ToolIntentEvent, 'tool_name' | 'tool_input'>): string[] {
  return WRITERS.includes(tool_name) ? pathsNamed(tool_input) : []
}

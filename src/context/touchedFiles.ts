import type { Message } from '../contracts/messages.ts'

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
  const pathsOf = (names: readonly string[]): Set<string> => {
    const inputs = calls.filter((call) => names.includes(call.name)).map((call) => call.input)
    const paths = inputs.map((input) => input['file_path'] ?? input['notebook_path'])
    return new Set(paths.filter((path) => typeof path === 'string'))
  }
  const changed = pathsOf(WRITERS)
  return { read: [...pathsOf(READERS)].filter((path) => !changed.has(path)), changed: [...changed] }
}

/**
 * One call that the model makes of either program. In texts of the input, `ROOT` stands for the project, `SITE` for a
 * loopback web site, and `BACKGROUND` for the id of the last background command.
 */
export type Input = {
  readonly name: string
  readonly tool: string
  readonly input: unknown
  /** The lines come in the order in which threads end: compared as a set. */
  readonly isUnordered?: true
}

export const call = (tool: string, name: string, input: unknown): Input => ({ name, tool, input })

export const read = (name: string, file: string, more = {}): Input =>
  call('Read', name, { file_path: `ROOT/${file}`, ...more })

export const edit = (name: string, file: string, from: string, to: string, more = {}): Input =>
  call('Edit', name, { file_path: `ROOT/${file}`, old_string: from, new_string: to, ...more })

export const write = (name: string, file: string, content: string): Input =>
  call('Write', name, { file_path: `ROOT/${file}`, content })

export const cell = (name: string, more: object, file = 'book.ipynb'): Input =>
  call('NotebookEdit', name, { notebook_path: `ROOT/${file}`, ...more })

export const bash = (name: string, command: string, more = {}): Input =>
  call('Bash', name, { command, description: name, ...more })

export const grep = (name: string, pattern: string, more = {}): Input => ({
  ...call('Grep', name, { pattern, ...more }),
  isUnordered: true,
})

export const glob = (name: string, pattern: string, more = {}): Input => call('Glob', name, { pattern, ...more })

import type { Todo } from '../Tool.ts'
import type { TouchedFiles } from './touchedFiles.ts'

/** What must survive a compaction word for word; a summary alone could lose it. */
export type CompactionFacts = {
  /** The first message of the run: the project's instructions and the task. */
  readonly task: string
  readonly todos: readonly Todo[]
  readonly files: TouchedFiles
  /** Calls that were denied, one line each. */
  readonly denials: readonly string[]
}

const MAX_LINES = 50

/** The first message of a conversation after compaction: the task, certain facts, the summary. */
export function compactedMessage({ task, todos, files, denials }: CompactionFacts, summary: string): string {
  return [
    task,
    'The conversation so far was too long and has been replaced by what follows. Continue from there; do not start again.',
    section(
      'Steps',
      todos.map(({ content, status }) => `[${status}] ${content}`),
    ),
    section('Files you changed', files.changed),
    section('Files you read (read them again before you edit them)', files.read),
    section('Denied, final', denials),
    `# Summary\n${summary.trim()}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The latest lines; only the number of earlier ones. */
function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const shown = lines.slice(-MAX_LINES).map((line) => `- ${line.replace(/\s+/g, ' ').slice(0, 300)}`)
  const more = lines.length > shown.length ? [`- … and ${lines.length - shown.length} before`] : []
  return [`# ${title}`, ...more, ...shown].join('\n')
}

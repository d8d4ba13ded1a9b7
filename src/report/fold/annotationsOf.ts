import type { Annotation } from '../../contracts/annotation.ts'
import { oneLine } from '../../lib/text/words.ts'
import { callLabel } from '../callLabel.ts'
import { escapeWorkflowCommands } from '../markdown/encodeUntrusted.ts'
import { checkFailure, denialText } from '../words.ts'
import type { Refusal, RunReport } from './runReport.ts'

/** GitHub shows ten of a kind for each step, and 4,096 characters of each (runner, `ExecutionContext.cs`). */
const MAX_OF_A_LEVEL = 10
const LONGEST_MESSAGE = 4_000
const LONGEST_TITLE = 200

/**
 * What a person should see of a run next to the code: a bad end, failed checks, findings, denials at the line of the
 * rule. At most ten per level; the last of these gives the number of the rest.
 */
export function annotationsOf(report: RunReport): Annotation[] {
  const all = [...verdictNotes(report), ...checkNotes(report), ...findingNotes(report), ...denialNotes(report)]
  return (['error', 'warning', 'notice'] as const).flatMap((level) =>
    limited(
      all.filter((note) => note.level === level),
      level,
    ),
  )
}

function limited(notes: readonly Annotation[], level: Annotation['level']): Annotation[] {
  if (notes.length <= MAX_OF_A_LEVEL) return notes.map(clean)
  const left = notes.length - MAX_OF_A_LEVEL + 1
  const rest = { level, title: 'kode-run', message: `${left} more: see the summary of the job.` }
  return [...notes.slice(0, MAX_OF_A_LEVEL - 1).map(clean), rest]
}

function clean(note: Annotation): Annotation {
  const { title, message, file } = note
  return {
    ...note,
    title: escapeWorkflowCommands(oneLine(title, LONGEST_TITLE)),
    message: escapeWorkflowCommands(message).slice(0, LONGEST_MESSAGE).toWellFormed(),
    ...(file === undefined ? {} : { file: escapeWorkflowCommands(oneLine(file, LONGEST_TITLE)) }),
  }
}

function verdictNotes({ verdict }: RunReport): Annotation[] {
  if (verdict.state === 'good') return []
  return [{ level: 'error', title: `kode-run: ${verdict.title}`, message: verdict.detail || verdict.title }]
}

function checkNotes({ checks }: RunReport): Annotation[] {
  return checks
    .filter(({ ok }) => !ok)
    .map(({ command, exit_code, output }) => ({
      level: 'error',
      title: `Check failed: ${command}`,
      message: `It failed ${checkFailure(exit_code)}.\n${output.slice(-1_500)}`,
    }))
}

function findingNotes({ findings }: RunReport): Annotation[] {
  return findings.map(({ severity, path, line, end_line, title, message }) => ({
    level: severity === 'info' ? 'notice' : severity,
    ...{ title, message, file: path, line },
    ...(end_line === undefined ? {} : { endLine: end_line }),
  }))
}

function denialNotes({ denials }: RunReport): Annotation[] {
  return denials.map(({ tool, input, count, ...refusal }) => ({
    level: 'warning',
    title: `Denied${count > 1 ? ` ${count} times` : ''}: ${callLabel(tool, input)}`,
    message: [denialText(refusal), ...fix(refusal.suggestion)].join('\n'),
    ...placeOf(refusal),
  }))
}

/** The line of the rule, if its file is in the repository. */
function placeOf({ source, line }: Refusal): Pick<Annotation, 'file' | 'line'> {
  return source === null || !line || source.startsWith('/') || source.startsWith('--') ? {} : { file: source, line }
}

function fix(suggestion: string | null): string[] {
  return suggestion === null ? [] : [`The policy would allow it with: ${suggestion}`]
}

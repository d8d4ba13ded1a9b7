import type { CapturedStream, CommandResult } from '../contracts/commands.ts'
import { codeFence } from './codeFence.ts'
import { headAndTail } from './headAndTail.ts'

/** What shell tools give back: Claude Code's names, so that hooks written for it read `tool_response` unchanged. */
export type CommandOutput = {
  readonly stdout: string
  readonly stderr: string
  /** Null when a signal ended the command, and for one in the background. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly interrupted: boolean
  /** Set when the time ran out. */
  readonly timedOutAfterMs?: number
  /** Set when it was ended because it wrote too much. */
  readonly isOutputLimited?: boolean
  readonly returnCodeInterpretation?: string
  readonly isError: boolean
  readonly backgroundTaskId?: string
  /** What of its changes was not kept, and why. */
  readonly notKept?: string
}

/** What an exit code of a known program says, where it says more than "failed". */
export type ExitMeaning = { readonly text: string; readonly isError: boolean }

/** Characters of both streams together that stand in a result; stderr may take a third of them. */
const INLINE_CHARACTERS = 30_000
const STDERR_CHARACTERS = 10_000

/** The output of a finished command. Streams that do not fit are cut to head and tail, the whole is put away by `put`. */
export function commandOutput(
  end: CommandResult,
  put: (text: string) => string,
  meaning: ExitMeaning | undefined,
): CommandOutput {
  const stderr = fitStream(end.stderr, Math.max(STDERR_CHARACTERS, INLINE_CHARACTERS - end.stdout.text.length), put)
  const stdout = fitStream(end.stdout, INLINE_CHARACTERS - stderr.length, put)
  const startError = end.startError === undefined ? '' : `The command could not be started: ${end.startError}`
  return {
    stdout,
    stderr: [stderr, startError].filter((text) => text !== '').join('\n'),
    exitCode: end.exitCode,
    signal: end.signal,
    interrupted: end.isAborted || end.isTimedOut,
    ...(end.isTimedOut ? { timedOutAfterMs: end.timeoutMs } : {}),
    ...(end.isOutputLimited === true ? { isOutputLimited: true } : {}),
    ...(meaning === undefined ? {} : { returnCodeInterpretation: meaning.text }),
    isError: end.exitCode !== 0 && meaning?.isError !== false,
  }
}

function fitStream(stream: CapturedStream, limit: number, put: (text: string) => string): string {
  if (!stream.isTruncated && stream.text.length <= limit) return stream.text
  const blob = stream.blob ?? put(stream.text)
  return headAndTail(stream.text, limit, `${stream.bytes} bytes in all, kept in ${blob}`)
}

/** The output as the model reads it: stdout, stderr between tags, and a last line where the end was not plain success. */
export function commandText(output: CommandOutput): string {
  const parts = [output.stdout.replace(/\n+$/, '')]
  if (output.stderr !== '') parts.push(`<stderr>\n${output.stderr.replace(/\n+$/, '')}\n</stderr>`)
  parts.push(endLine(output), output.notKept ?? '')
  const text = parts.filter((part) => part.trim() !== '').join('\n')
  return text === '' ? '(no output, exit code 0)' : text
}

function endLine(output: CommandOutput): string {
  if (output.timedOutAfterMs !== undefined) {
    return `Ended after ${output.timedOutAfterMs} ms: the time ran out. Give a larger timeout, or run_in_background.`
  }
  if (output.isOutputLimited === true) return 'Ended: it wrote more than can be kept.'
  if (output.interrupted) return 'Ended: the run was interrupted.'
  if (output.signal !== null) return `Ended by ${output.signal}`
  if (output.exitCode === null || output.exitCode === 0) return ''
  const meaning = output.returnCodeInterpretation
  return `Exit code ${output.exitCode}${meaning === undefined ? '' : ` (${meaning})`}`
}

/** The last lines of a command for reports, as a Markdown code block under the command. */
export function commandMarkdown(command: string, output: CommandOutput): string {
  const lines = commandText(output).split('\n')
  const shown = lines.slice(-20).map((line) => line.slice(0, 500))
  const more = lines.length > shown.length ? [`… ${lines.length - shown.length} lines above`] : []
  return `${codeFence(command, 'sh')}\n${codeFence([...more, ...shown].join('\n'))}`
}

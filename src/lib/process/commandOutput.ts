import * as z from 'zod'
import type { CapturedStream, CommandAccess, CommandResult } from '../../contracts/commands.ts'
import { codeFence } from '../text/words.ts'
import { MAX_STORED } from './captureStream.ts'
import { headAndTail } from './headAndTail.ts'

/** The output of tools that run a command, with Claude Code's names, so that its hooks read it unchanged. */
export const commandOutputSchema = z.object({
  stdout: z.string(),
  stderr: z.string(),
  /** Null if a signal ended the command, and for a background command. */
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  interrupted: z.boolean(),
  /** Set if the command reached its time limit. */
  timedOutAfterMs: z.number().exactOptional(),
  /** Set if the command was ended because of too much output. */
  isOutputLimited: z.boolean().exactOptional(),
  returnCodeInterpretation: z.string().exactOptional(),
  isError: z.boolean(),
  backgroundTaskId: z.string().exactOptional(),
  /** Which changes were not kept, and why. */
  notKept: z.string().exactOptional(),
  /** Other remarks about the call, one sentence each. */
  notes: z.array(z.string()).readonly().exactOptional(),
})

export type CommandOutput = Readonly<z.infer<typeof commandOutputSchema>>

/** The meaning of a known program's exit code, if it is more than "failed". */
export type ExitMeaning = { readonly text: string; readonly isError: boolean }

/** Where long output is stored, and the length of both streams together that counts as long. */
export type OutputLimit = { put(text: string): string; readonly maxChars: number }

/** Of a long stream, its head and its tail together: a message with them has less than 4 kB. */
const SHOWN_CHARACTERS = 2800

/** The output of a finished command. Above the limit, a long stream is cut to head and tail, and stored. */
export function commandOutput(end: CommandResult, limit: OutputLimit, meaning: ExitMeaning | undefined): CommandOutput {
  const isLong = end.stdout.text.length + end.stderr.text.length > limit.maxChars
  const startError = end.startError === undefined ? '' : `The command could not be started: ${end.startError}`
  return {
    stdout: fitStream(end.stdout, isLong, limit),
    stderr: [fitStream(end.stderr, isLong, limit), startError].filter((text) => text !== '').join('\n'),
    exitCode: end.exitCode,
    signal: end.signal,
    interrupted: end.isAborted || end.isTimedOut,
    ...(end.isTimedOut ? { timedOutAfterMs: end.timeoutMs } : {}),
    ...(end.isOutputLimited === true ? { isOutputLimited: true } : {}),
    ...(meaning === undefined ? {} : { returnCodeInterpretation: meaning.text }),
    isError: end.exitCode !== 0 && meaning?.isError !== false,
  }
}

function fitStream(stream: CapturedStream, isLong: boolean, limit: OutputLimit): string {
  if (isBinary(stream.text)) return describeBinary(stream)
  const maxChars = Math.min(SHOWN_CHARACTERS, limit.maxChars)
  if (!stream.isTruncated && (!isLong || stream.text.length <= maxChars)) return stream.text
  const total = stream.isTruncated ? stream.bytes : stream.text.length
  return headAndTail(stream.text, maxChars, `${storedAt(stream, limit)}: Read parts of it, or Grep it`, total)
}

/** How much is stored, and where. Without a blob of a cut stream, the disk had no room for more than its ends. */
function storedAt({ text, bytes, isTruncated, blob }: CapturedStream, { put }: OutputLimit): string {
  if (blob === undefined) return `${isTruncated ? 'its start and its end are' : 'the full text is'} in ${put(text)}`
  return bytes > MAX_STORED ? `its first 64 MiB are in ${blob}` : `the full text is in ${blob}`
}

/** What no character stands for, and control characters that no text has. */
const ODD = /[\ufffd\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g
const MIN_ODD = 32

/** True if more than a tenth of the first characters are no text. A text in another encoding has fewer. */
function isBinary(text: string): boolean {
  const head = text.slice(0, SHOWN_CHARACTERS)
  const odd = head.match(ODD)?.length ?? 0
  return odd >= MIN_ODD && odd > head.length / 10
}

const MAX_STRINGS = 20

/** What it is, how long, where it lies, and the first texts in it, as `strings` finds them. */
function describeBinary({ text, bytes, blob }: CapturedStream): string {
  const part = bytes > MAX_STORED ? 'its first 64 MiB are' : 'all of it is'
  const place = blob === undefined ? 'write it to a file to keep it' : `${part} in ${blob}`
  const found = text.match(/[\x20-\x7e\t]{6,}/g) ?? []
  const shown = found.slice(0, MAX_STRINGS).map((each) => each.slice(0, 200))
  const more = found.length > shown.length ? [`… and ${found.length - shown.length} more`] : []
  const lines = shown.length === 0 ? ['There is no text in it.'] : ['Text in it:', ...shown, ...more]
  return [`[binary output, ${bytes} bytes: ${place}]`, ...lines].join('\n')
}

/** The output as the model reads it: stdout, stderr in tags, and a last line unless the command simply succeeded. */
export function commandText(output: CommandOutput): string {
  const parts = [output.stdout.replace(/\n+$/, '')]
  if (output.stderr !== '') parts.push(`<stderr>\n${output.stderr.replace(/\n+$/, '')}\n</stderr>`)
  parts.push(endLine(output), output.notKept ?? '', ...(output.notes ?? []))
  const text = parts.filter((part) => part.trim() !== '').join('\n')
  return text === '' ? '(no output, exit code 0)' : text
}

function endLine(output: CommandOutput): string {
  if (output.timedOutAfterMs !== undefined) {
    return `Ended after ${output.timedOutAfterMs} ms: it reached its time limit. Use a larger timeout, or run_in_background.`
  }
  if (output.isOutputLimited === true) return 'Ended: its output exceeded the limit.'
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

/** The error for an unknown background command id; it lists the known ones. */
export function unknownCommand(id: string, commands: Pick<CommandAccess, 'listBackground'>): Error {
  const known = commands.listBackground().map((command) => command.id)
  const there = known.length === 0 ? 'None was started.' : `There are: ${known.join(', ')}.`
  return new Error(`There is no background command ${id}. ${there}`)
}

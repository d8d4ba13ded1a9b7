import { resolve } from 'node:path'
import { RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { readInputFile } from '../lib/fs/readInputFile.ts'
import { nearest } from '../lib/text/nearest.ts'
import type { FlagValues } from './parseArguments.ts'

const MAX_BYTES = 10_000_000

/** How long to wait for a silent pipe if there is already a prompt. */
const STDIN_PATIENCE_MS = 3000

/** The sources of a prompt. `readStdin` returns the piped text, or undefined if nothing is piped. */
export type PromptSources = {
  readonly argument: string | undefined
  readonly flags: FlagValues
  readonly cwd: string
  readonly params: Readonly<Record<string, string>>
  /** True if a run is resumed: its task is known, so the prompt may be empty. */
  readonly isOptional?: boolean
  /** The time limit for a prompt on stdin. */
  readonly timeoutMs?: number
  readonly readStdin: ProcessIo['readStdin']
}

/**
 * The task: the argument, `--prompt-file`, or stdin. With an argument or a file, stdin is added as context. Parameters
 * are only filled in the task itself, never in piped text.
 */
export async function readPrompt(sources: PromptSources): Promise<string> {
  const { argument, flags, cwd } = sources
  const file = flags['prompt-file'] as string | undefined
  if (argument !== undefined && argument !== '-' && file !== undefined) {
    throw new RunError('usage', 'Give the prompt as an argument or with --prompt-file, not both.')
  }
  if (argument?.trim() === '') throw new RunError('usage', 'The prompt is empty.')
  const own = file === undefined ? (argument === '-' ? undefined : argument) : await readFile(resolve(cwd, file))
  const piped = await sources.readStdin(MAX_BYTES, {
    ...(own === undefined ? {} : { firstMs: STDIN_PATIENCE_MS }),
    ...(sources.timeoutMs === undefined ? {} : { wholeMs: sources.timeoutMs }),
  })
  if (piped !== undefined && Buffer.byteLength(piped) > MAX_BYTES)
    throw new RunError('bad_input', 'stdin: the prompt is larger than 10 MB.')
  const context = piped?.trim() === '' ? undefined : piped
  const params = { ...sources.params, ...readParams(flags['param'] as string[] | undefined) }
  const given = Object.keys(readParams(flags['param'] as string[] | undefined))
  const task = own === undefined ? (context ?? '') : fillParams(own, params)
  refuseUnused(given, own)
  if (Buffer.byteLength(task) > MAX_BYTES) throw new RunError('bad_input', 'The prompt is larger than 10 MB.')
  if (task.trim() === '' && sources.isOptional === true) return ''
  if (task.trim() === '')
    throw new RunError('usage', 'There is no prompt: give it as an argument, with --prompt-file or on stdin.')
  return own === undefined || context === undefined ? task : `${task}\n\n<stdin>\n${context}\n</stdin>`
}

async function readFile(file: string): Promise<string> {
  const options = { label: '--prompt-file', reason: 'bad_input', maxBytes: MAX_BYTES, mayInherit: true } as const
  const text = await readInputFile(file, options)
  if (text.trim() === '') throw new RunError('bad_input', `--prompt-file ${file} is empty.`)
  return text
}

function readParams(pairs: readonly string[] = []): Record<string, string> {
  const params: Record<string, string> = {}
  for (const pair of pairs) {
    const [, name, value] = /^([A-Za-z_][\w.-]*)=(.*)$/s.exec(pair) ?? []
    if (name === undefined || value === undefined)
      throw new RunError('usage', `--param: ${JSON.stringify(pair)} is not NAME=VALUE.`)
    if (Object.hasOwn(params, name)) throw new RunError('usage', `--param: ${name} is given twice.`)
    params[name] = value
  }
  return params
}

const PLACE = /\$\{\{\s*params\.([\w.-]+)\s*\}\}/g

/** Refuses a `--param` that the prompt does not use, as it is probably misspelled. Those of a policy may be unused. */
function refuseUnused(names: readonly string[], task: string | undefined): void {
  const used = [...(task ?? '').matchAll(PLACE)].map(([, name = '']) => name)
  const unused = names.find((name) => !used.includes(name))
  if (unused === undefined) return
  const near = nearest(unused, used)
  const advice = near === undefined ? ` It contains no \${{ params.${unused} }}.` : ` Did you mean ${near}?`
  throw new RunError(
    'usage',
    `--param: the prompt does not use params.${unused}.${task === undefined ? ' Piped text is never filled in.' : advice}`,
  )
}

/** Fills in `${{ params.NAME }}`. An unknown name is a `usage` error. */
function fillParams(text: string, params: Readonly<Record<string, string>>): string {
  return text.replace(PLACE, (_match, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined) throw new RunError('usage', `The prompt uses params.${name}: give --param ${name}=…`)
    return value
  })
}

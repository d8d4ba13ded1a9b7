import { resolve } from 'node:path'
import { RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { readInputFile } from '../lib/fs/readInputFile.ts'
import { nearest } from '../lib/text/nearest.ts'
import type { FlagValues } from './parseArguments.ts'

const MAX_BYTES = 10_000_000

/** Where there is a prompt already: how long an open pipe may say nothing before it is left alone. */
const STDIN_PATIENCE_MS = 3000

/** Where a prompt may come from. `stdin` gives the piped text, or undefined when nothing is piped. */
export type PromptSources = {
  readonly argument: string | undefined
  readonly flags: FlagValues
  readonly cwd: string
  readonly params: Readonly<Record<string, string>>
  /** True where a run goes on: its task is known, and the prompt may be empty. */
  readonly isOptional?: boolean
  /** For a prompt that comes on stdin. */
  readonly timeoutMs?: number
  readonly readStdin: ProcessIo['readStdin']
}

/**
 * The task: the argument or `--prompt-file`, or stdin alone; with an argument or file, stdin is added as context. Parameters
 * are filled in the task's own words only, never in what was piped.
 */
export async function readPrompt(sources: PromptSources): Promise<string> {
  const { argument, flags, cwd } = sources
  const file = flags['prompt-file'] as string | undefined
  if (argument !== undefined && argument !== '-' && file !== undefined) {
    throw new RunError('usage', 'Give the prompt as an argument or by --prompt-file, not both.')
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
    throw new RunError('usage', 'There is no prompt: give it as an argument, by --prompt-file or on stdin.')
  return own === undefined || context === undefined ? task : `${task}\n\n<stdin>\n${context}\n</stdin>`
}

async function readFile(file: string): Promise<string> {
  const options = { label: '--prompt-file', reason: 'bad_input', maxBytes: MAX_BYTES, mayInherit: true } as const
  const text = await readInputFile(file, options)
  if (text.trim() === '') throw new RunError('bad_input', `--prompt-file ${file}: is empty.`)
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

/** A `--param` that fills nothing is a slip of its name; those of a policy are for many prompts. */
function refuseUnused(names: readonly string[], task: string | undefined): void {
  const used = [...(task ?? '').matchAll(PLACE)].map(([, name = '']) => name)
  const unused = names.find((name) => !used.includes(name))
  if (unused === undefined) return
  const near = nearest(unused, used)
  const advice = near === undefined ? ` It holds no \${{ params.${unused} }}.` : ` Did you mean ${near}?`
  throw new RunError(
    'usage',
    `--param: the prompt does not use params.${unused}.${task === undefined ? ' Piped text is never filled in.' : advice}`,
  )
}

/** Replaces `${{ params.NAME }}`. An unknown name is a `usage` error. */
function fillParams(text: string, params: Readonly<Record<string, string>>): string {
  return text.replace(PLACE, (_match, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined) throw new RunError('usage', `The prompt uses params.${name}: give --param ${name}=…`)
    return value
  })
}

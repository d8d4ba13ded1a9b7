import { RunError } from '../contracts/errors.ts'
import { nearest } from '../lib/text/nearest.ts'
import { chooseCommand, refuseWord } from './chooseCommand.ts'
import { COMMANDS, type CommandName } from './commands.ts'
import type { Flag } from './Flag.ts'
import { RUN_FLAGS } from './flags.ts'
import { findForeignFlag, replaceForeign } from './foreignFlags.ts'
import { readFlag } from './readFlag.ts'

/** Values of flags by name, already converted. Absent: not given. */
export type FlagValues = Readonly<Record<string, FlagValue>>
export type FlagValue = string | number | boolean | readonly string[]

/** A parsed command line. */
export type Invocation =
  /** Help about a command, `policy`, or everything. */
  | { readonly show: 'help'; readonly topic: string | undefined }
  | { readonly show: 'version' }
  | {
      readonly show?: never
      readonly command: CommandName
      readonly positionals: readonly string[]
      readonly flags: FlagValues
      /** Warnings about other agents' flags that have no effect. */
      readonly warnings?: readonly string[]
    }

/**
 * Parses and checks a command line. An unknown, repeated, empty or malformed flag is a `usage` error that names the
 * flag and says what to do. Pure.
 */
export function parseArguments(argv: readonly string[]): Invocation {
  const choice = chooseCommand(argv)
  if (choice.show !== undefined) return choice
  const { command, rest } = choice
  const end = rest.indexOf('--')
  const head = end === -1 ? rest : rest.slice(0, end)
  if (head.includes('--help') || head.includes('-h'))
    return { show: 'help', topic: rest === argv ? undefined : command }
  if (head.some((word) => ['--version', '-v', '-V'].includes(word))) return { show: 'version' }
  const { given, positionals, warnings } = readWords(rest, command)
  const known: Readonly<Record<string, Flag>> = COMMANDS[command].flags
  const flags = Object.fromEntries(
    Object.entries(known).flatMap(([name, flag]) => {
      const words = given.get(name)
      return words === undefined ? [] : [[name, readFlag(name, flag, words)]]
    }),
  )
  checkPositionals(positionals, command)
  if (command !== 'run') return { command, positionals, flags }
  const isPlain = rest === argv && end === -1 && flags['print'] !== true
  return { command, flags, warnings, positionals: promptOf(positionals, flags, isPlain) }
}

/** The task as a positional, wherever it was given. `isPlain`: nothing marks a single word as a prompt. */
function promptOf(positionals: readonly string[], flags: FlagValues, isPlain: boolean): readonly string[] {
  const [word] = positionals
  const { prompt, 'output-last-message': output } = flags
  if (['text', 'json', 'stream-json'].includes(String(output)))
    throw new RunError('usage', `-o ${output}: -o names a file. Did you mean --output-format ${output}?`)
  if (prompt === undefined) {
    if (isPlain && word !== undefined) refuseWord(word)
    return positionals
  }
  if (word !== undefined) throw new RunError('usage', 'Give the prompt as an argument or with --prompt, not both.')
  return [String(prompt)]
}

/** A flag, its name, and the value behind `=`. A lone `-` is a word. */
const FLAG = /^(--?)(.[^=]*)(?:=(.*))?$/s

/**
 * The values of each flag by its long name, as they are written, and the other words. A word behind a list belongs to it
 * if it looks like one of its values (`--allowedTools Read "Bash(git log *)"`), so a prompt behind a list stays a prompt.
 * In a run, flags of other agents become kode-run's own.
 */
function readWords(argv: readonly string[], command: CommandName) {
  const given = new Map<string, string[]>()
  const positionals: string[] = []
  const warnings: string[] = []
  const words = [...argv]
  let list: { readonly name: string; readonly further: RegExp } | undefined
  const add = (name: string, value: string) => given.set(name, [...(given.get(name) ?? []), value])
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      positionals.push(...words)
      break
    }
    const [, dashes = '', name, assigned] = FLAG.exec(word) ?? []
    if (name === undefined) {
      if (list?.further.test(word)) add(list.name, word)
      else {
        positionals.push(word)
        list = undefined
      }
      continue
    }
    list = undefined
    const [long, flag] = findFlag(name, command) ?? []
    if (long === undefined || flag === undefined) {
      const foreign = command === 'run' ? findForeignFlag(name) : undefined
      if (foreign === undefined) throw unknownFlag(name, command)
      const { instead, warning } = replaceForeign(`${dashes}${name}`, foreign, assigned, words)
      warnings.push(...warning)
      words.unshift(...instead)
    } else if (flag.kind === 'switch') {
      if (assigned !== undefined) throw new RunError('usage', `--${name} takes no value: give it or leave it out.`)
      add(long, '')
    } else {
      add(long, assigned ?? takeValue(flag, words))
      if (flag.further !== undefined && flag.alone === undefined) list = { name: long, further: flag.further }
    }
  }
  return { given, positionals, warnings }
}

/** The next word, unless it is a flag; what stands for a value that may be left out. */
function takeValue({ alone, further }: Flag, words: string[]): string {
  const [next = '-'] = words
  if (alone !== undefined && !further?.test(next)) return alone
  const isValue = !next.startsWith('-') || /^-[\d.]+$/.test(next)
  return isValue ? (words.shift() ?? '') : ''
}

function findFlag(name: string, command: CommandName): readonly [string, Flag] | undefined {
  return Object.entries<Flag>(COMMANDS[command].flags).find(
    ([long, { alias }]) => long === name || alias?.includes(name),
  )
}

function unknownFlag(name: string, command: CommandName): RunError {
  const dashes = name.length === 1 ? '-' : '--'
  const foreign = findForeignFlag(name)
  if (foreign !== undefined) return new RunError('usage', `${dashes}${name}: ${foreign.advice}`)
  const close = nearest(name, Object.keys(COMMANDS[command].flags))
  const help = Object.hasOwn(RUN_FLAGS, name)
    ? 'A run takes it, this command does not: see its --help.'
    : 'See kode-run --help.'
  const hint = close === undefined ? help : `Did you mean --${close}?`
  return new RunError('usage', `Unknown flag ${dashes}${name}. ${hint}`)
}

function checkPositionals(positionals: readonly string[], command: CommandName): void {
  const info = COMMANDS[command]
  const usage = `Usage: kode-run ${command} ${info.usage}`
  const names = info.usage.split(' ').filter((name) => name !== '')
  if (positionals.length < names.filter((name) => !name.startsWith('[')).length)
    throw new RunError('usage', `${command}: an argument is missing. ${usage}`)
  if (positionals.length <= names.length || info.usage.endsWith('…')) return
  const extra = positionals[names.length]
  const [first = ''] = positionals
  const isLate = first === 'exec' || Object.hasOwn(COMMANDS, first)
  const ofRun = isLate ? `${first} must come before all flags.` : 'The prompt is one argument: put it in quotes.'
  const words = `unexpected argument ${JSON.stringify(extra)}. ${command === 'run' ? ofRun : usage}`
  throw new RunError('usage', command === 'run' ? words : `${command}: ${words}`)
}

import yargs from 'yargs'
import { RunError } from '../contracts/errors.ts'
import { nearest } from '../lib/text/nearest.ts'
import { chooseCommand, refuseWord } from './chooseCommand.ts'
import { COMMANDS, type CommandInfo, type CommandName } from './commands.ts'
import type { Flag } from './Flag.ts'
import { RUN_FLAGS } from './flags.ts'
import { findForeignFlag, translateForeign } from './foreignFlags.ts'
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

/** Parses a command line. A malformed flag is a `usage` error that names it and says what to do. Pure. */
export function parseArguments(argv: readonly string[]): Invocation {
  const choice = chooseCommand(argv)
  if (choice.show !== undefined) return choice
  const { command, rest } = choice
  const end = rest.indexOf('--')
  const head = end === -1 ? rest : rest.slice(0, end)
  if (head.includes('--help') || head.includes('-h'))
    return { show: 'help', topic: rest === argv ? undefined : command }
  if (head.some((word) => ['--version', '-v', '-V'].includes(word))) return { show: 'version' }
  const info: CommandInfo = COMMANDS[command]
  const own = spreadLists(rest, info.flags)
  const { words, warnings } = command === 'run' ? translateForeign(own, isOwn(info)) : { words: own, warnings: [] }
  const { _: positionals, ...given } = parseFlags(words, info)
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(info.flags, name))
  if (unknown !== undefined) throw unknownFlag(unknown, info)
  const flags = Object.fromEntries(
    Object.entries(info.flags).flatMap(([name, flag]) =>
      Object.hasOwn(given, name) ? [[name, readFlag(name, flag, given[name])]] : [],
    ),
  )
  checkPositionals(positionals, command, info)
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

function isOwn({ flags }: CommandInfo): (name: string) => boolean {
  return (name) => Object.hasOwn(flags, name) || Object.values(flags).some(({ alias }) => alias?.includes(name))
}

/** All flags as given, repeated ones as a list. Nothing is converted yet. */
function parseFlags(argv: readonly string[], info: CommandInfo): Record<string, unknown> & { _: string[] } {
  const names = Object.entries(info.flags)
  const switches = names.filter(([, flag]) => flag.kind === 'switch')
  refuseSwitchValues(argv, switches)
  refuseInheritedNames(argv, info)
  const end = argv.indexOf('--')
  // The parser takes a pair of quotes around an assigned value away, and a `false` behind a switch as its value.
  const isSwitch = (word: string) => switches.some(([name, { alias = [] }]) => [name, ...alias].some(isNamed(word)))
  const plain = (word: string) =>
    isSwitch(word) ? `${word}=true` : word.replace(/^(--?[^=]+=)((["']).*\3)$/s, '$1$3$2$3')
  const parsed = yargs(argv.map((word, at) => (end >= 0 && at > end ? word : plain(word))))
    .locale('en')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
      'strip-aliased': true,
      'short-option-groups': false,
    })
    .boolean(switches.map(([name]) => name))
    .string(names.flatMap(([name, flag]) => (flag.kind === 'switch' ? [] : [name])))
    .alias(Object.fromEntries(names.map(([name, { alias = [] }]) => [name, [...alias]])))
    .help(false)
    .version(false)
    .exitProcess(false)
    .showHelpOnFail(false)
    .parseSync() as Record<string, unknown>
  const { $0: _script, _: words, '--': after, ...given } = parsed
  return { ...given, _: [...((words as unknown[]) ?? []), ...((after as unknown[]) ?? [])].map(String) }
}

const isNamed = (word: string) => (name: string) => word === `--${name}` || word === `-${name}`

/** Refuses `--quiet=maybe`, which the parser would read as false, and a repeated switch, which it would ignore. */
function refuseSwitchValues(argv: readonly string[], switches: readonly (readonly [string, Flag])[]): void {
  const seen = new Set<string>()
  for (const word of argv) {
    if (word === '--') return
    const [, name = '', value] = /^--?([^=]+)(=.*)?$/s.exec(word) ?? []
    const known = switches.find(([long, flag]) => long === name || flag.alias?.includes(name))?.[0]
    if (known === undefined) continue
    if (value !== undefined) throw new RunError('usage', `--${name} takes no value: give it or leave it out.`)
    if (seen.has(known)) throw new RunError('usage', `--${name} is given twice.`)
    seen.add(known)
  }
}

/** Refuses `--constructor` and its like, on which the parser fails: it looks flags up in plain objects. */
function refuseInheritedNames(argv: readonly string[], info: CommandInfo): void {
  for (const word of argv) {
    if (word === '--') return
    const [, name = ''] = /^--?([^=]+)/s.exec(word) ?? []
    if (name in Object.prototype) throw unknownFlag(name, info)
  }
}

function unknownFlag(name: string, info: CommandInfo): RunError {
  const dashes = name.length === 1 ? '-' : '--'
  const foreign = info === COMMANDS.run ? findForeignFlag(name) : undefined
  if (foreign !== undefined) return new RunError('usage', `${dashes}${name}: ${foreign.advice}`)
  const close = nearest(name, Object.keys(info.flags))
  const help = Object.hasOwn(RUN_FLAGS, name)
    ? 'A run takes it, this command does not: see its --help.'
    : 'See kode-run --help.'
  const hint = close === undefined ? help : `Did you mean --${close}?`
  return new RunError('usage', `Unknown flag ${dashes}${name}. ${hint}`)
}

function checkPositionals(positionals: readonly string[], command: CommandName, info: CommandInfo): void {
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

/**
 * Gives each word of a list its own flag: `--allowedTools Read "Bash(git log *)"` becomes `--allowedTools=Read
 * --allowedTools=Bash(git log *)`. A word belongs to the list if it looks like one of its values, so a prompt after the
 * list stays a prompt. A flag whose value may be left out gets the one that it has then.
 */
function spreadLists(argv: readonly string[], flags: Readonly<Record<string, Flag>>): readonly string[] {
  const words: string[] = []
  let open: { readonly name: string; readonly further: RegExp; isFirst: boolean } | undefined
  for (const [at, word] of argv.entries()) {
    if (word === '--') return [...words, ...argv.slice(at)]
    const [, name, assigned] = /^--([A-Za-z][\w-]*)(=.*)?$/s.exec(word) ?? []
    const lone = aloneAt(argv, at, flags)
    if (lone !== undefined) {
      open = undefined
      words.push(lone)
      continue
    }
    if (name !== undefined || /^-./.test(word)) {
      const further = name === undefined ? undefined : furtherOf(name, flags)
      open =
        further === undefined || name === undefined ? undefined : { name, further, isFirst: assigned === undefined }
    } else if (open?.isFirst === true) open.isFirst = false
    else if (open?.further.test(word) === true) {
      words.push(`--${open.name}=${word}`)
      continue
    } else open = undefined
    words.push(word)
  }
  return words
}

/** `--worktree` without its value, as `--worktree=auto`. */
function aloneAt(argv: readonly string[], at: number, flags: Readonly<Record<string, Flag>>): string | undefined {
  const [, name] = /^--?([A-Za-z][\w-]*)$/.exec(argv[at] ?? '') ?? []
  const [long, { alone, further } = {}] = (name === undefined ? undefined : flagOf(name, flags)) ?? []
  return alone === undefined || further?.test(argv[at + 1] ?? '') ? undefined : `--${long}=${alone}`
}

/** What follows belongs to a list. */
function furtherOf(name: string, flags: Readonly<Record<string, Flag>>): RegExp | undefined {
  const [, { alone, further } = {}] = flagOf(name, flags) ?? []
  return alone === undefined ? further : undefined
}

function flagOf(name: string, flags: Readonly<Record<string, Flag>>): readonly [string, Flag?] | undefined {
  return Object.entries(flags).find(([long, { alias }]) => long === name || alias?.includes(name))
}

import yargs from 'yargs'
import { RunError } from '../contracts/errors.ts'
import { nearest } from '../lib/nearest.ts'
import { COMMANDS, type CommandInfo, type CommandName } from './commands.ts'
import { type Flag, FOREIGN_FLAGS } from './flags.ts'
import { readFlag } from './readFlag.ts'

/** Values of flags by name, each already of its kind's type. Absent: not given. */
export type FlagValues = Readonly<Record<string, FlagValue>>
export type FlagValue = string | number | boolean | readonly string[]

/** What the command line says. */
export type Invocation =
  | { readonly show: 'help'; readonly command: CommandName | undefined }
  | { readonly show: 'version' }
  | {
      readonly show?: never
      readonly command: CommandName
      readonly positionals: readonly string[]
      readonly flags: FlagValues
    }

/**
 * A command line, checked: unknown, doubled, empty and malformed flags are one `usage` error each that names the flag and
 * the way out. Reads nothing but its argument.
 */
export function parseArguments(argv: readonly string[]): Invocation {
  const { command, rest } = chooseCommand(argv)
  const end = rest.indexOf('--')
  const head = end === -1 ? rest : rest.slice(0, end)
  if (head.includes('--help') || head.includes('-h'))
    return { show: 'help', command: command === 'run' ? undefined : command }
  if (head.includes('--version')) return { show: 'version' }
  const info: CommandInfo = COMMANDS[command]
  const { _: positionals, ...given } = parseFlags(rest, info)
  const flags: Record<string, FlagValue> = {}
  for (const [name, raw] of Object.entries(given)) {
    const flag = info.flags[name]
    if (flag === undefined) throw unknownFlag(name, info)
    flags[name] = readFlag(name, flag, raw)
  }
  checkPositionals(positionals, command, info)
  return { command, positionals, flags }
}

/** Takes `policy check` or `report` off the front; anything else belongs to `run`. */
function chooseCommand(argv: readonly string[]): { command: CommandName; rest: readonly string[] } {
  const [first = '', second = ''] = argv
  const two = `${first} ${second}`
  if (isCommand(two)) return { command: two, rest: argv.slice(2) }
  if (isCommand(first)) return { command: first, rest: argv.slice(1) }
  if (first === 'policy') {
    const names = Object.keys(COMMANDS).filter((name) => name.startsWith('policy '))
    if (second === '--help' || second === '-h') return { command: 'run', rest: ['--help'] }
    throw new RunError('usage', `policy: give one of ${names.map((name) => name.slice(7)).join(', ')}.`)
  }
  const meant = misspelt(first)
  if (meant !== undefined) {
    const say = `There is no command ${first}. Did you mean kode-run ${meant}? As a prompt: kode-run run ${first}`
    throw new RunError('usage', say)
  }
  return { command: 'run', rest: argv }
}

/** The command that a single word at the front nearly is: as a prompt it would cost money and say nothing. */
function misspelt(word: string): string | undefined {
  if (!/^[a-z]{4,}$/.test(word)) return undefined
  const names = Object.keys(COMMANDS)
  return names.find((name) => name.endsWith(` ${word}`)) ?? nearest(word, [...names, 'policy'])
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}

/** All flags as the words that were given, doubled ones as a list; nothing is converted yet. */
function parseFlags(argv: readonly string[], info: CommandInfo): Record<string, unknown> & { _: string[] } {
  const names = Object.entries(info.flags)
  const switches = names.filter(([, flag]) => flag.kind === 'switch')
  refuseSwitchValues(argv, switches)
  const options = Object.fromEntries(
    names.map(([name, flag]) => [
      name,
      { type: flag.kind === 'switch' ? ('boolean' as const) : ('string' as const), alias: [...(flag.alias ?? [])] },
    ]),
  )
  const parsed = yargs([...argv])
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
    .options(options)
    .help(false)
    .version(false)
    .exitProcess(false)
    .showHelpOnFail(false)
    .parseSync()
  const { $0: _script, _: words, '--': after, ...given } = parsed as Record<string, unknown>
  return { ...given, _: [...((words as unknown[]) ?? []), ...((after as unknown[]) ?? [])].map(String) }
}

/** `--quiet=maybe` would be read as false by the parser, and a doubled switch as one: both are refused. */
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

function unknownFlag(name: string, info: CommandInfo): RunError {
  const dashes = name.length === 1 ? '-' : '--'
  const foreign = FOREIGN_FLAGS[name]
  if (foreign !== undefined) return new RunError('usage', `${dashes}${name}: ${foreign}`)
  const close = nearest(name, Object.keys(info.flags))
  const hint = close === undefined ? 'See kode-run --help.' : `Did you mean --${close}?`
  return new RunError('usage', `Unknown flag ${dashes}${name}. ${hint}`)
}

function checkPositionals(positionals: readonly string[], command: CommandName, info: CommandInfo): void {
  const label = command === 'run' ? 'kode-run' : `kode-run ${command}`
  if (positionals.length < info.least) throw new RunError('usage', `${label}: give ${info.usage}.`)
  if (positionals.length <= info.most) return
  const extra = positionals[info.most]
  const advice = command === 'run' ? 'The prompt is one argument: put it in quotes.' : `Usage: ${label} ${info.usage}`
  throw new RunError('usage', `${label}: unexpected argument ${JSON.stringify(extra)}. ${advice}`)
}

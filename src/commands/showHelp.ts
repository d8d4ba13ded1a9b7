import { COMMANDS, type CommandInfo } from '../config/commands.ts'
import type { Flag } from '../config/Flag.ts'
import type { ProcessIo } from '../contracts/processIo.ts'

/** Prints help for one command, for all of `policy`, or for the whole program with the flags of a run. */
export function showHelp(io: ProcessIo, topic: string | undefined): number {
  const info = topic === undefined ? undefined : (COMMANDS as Readonly<Record<string, CommandInfo>>)[topic]
  io.print(topic === undefined ? overview() : info === undefined ? group(topic) : usage(topic, info))
  return 0
}

function overview(): string {
  return `kode-run: a coding agent for places where nobody is there to answer.

Usage: kode-run [run] [prompt] [flags]
       kode-run COMMAND [arguments] [flags]      (kode-run COMMAND --help)

Commands:
${commandRows('')}

Flags of a run:
${flagRows(COMMANDS.run.flags)}

Everything but the task can be set in the policy file. No flag skips permissions.
`
}

function group(name: string): string {
  return `kode-run ${name} COMMAND\n\nCommands:\n${commandRows(`${name} `)}\n`
}

function commandRows(start: string): string {
  const shown = Object.entries(COMMANDS).filter(([name]) => name.startsWith(start))
  return shown.map(([name, { describe }]) => row(name, describe)).join('\n')
}

function usage(name: string, { usage: words, describe, values, flags }: CommandInfo): string {
  const rows = flagRows(flags)
  const known = Object.entries(values).map(([value, about]) => row(value, about))
  return `kode-run ${name} ${words}`
    .trimEnd()
    .concat(
      `\n\n${describe}\n`,
      known.length === 0 ? '' : `\n${words.replace(/\W/g, '')}:\n${known.join('\n')}\n`,
      rows === '' ? '' : `\nFlags:\n${rows}\n`,
    )
}

function flagRows(flags: Readonly<Record<string, Flag>>): string {
  return Object.entries(flags)
    .map(([name, flag]) => {
      const short = flag.alias?.find((alias) => alias.length === 1)
      const label = `${short === undefined ? '' : `-${short}, `}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`
      const missing = flag.choices?.some((choice) => !flag.describe.includes(choice)) ?? false
      const choices = missing ? `: ${flag.choices?.join(', ')}` : ''
      return row(label, `${flag.describe}${choices}${flag.fallback === undefined ? '' : ` (${flag.fallback})`}`)
    })
    .join('\n')
}

const [WIDTH, INDENT] = [100, 37]

/** A label and a text of whole words, on as many lines as it takes. */
function row(label: string, text: string): string {
  const lines = text.match(new RegExp(`\\S.{0,${WIDTH - INDENT - 1}}(?=\\s|$)|\\S+`, 'g')) ?? []
  return `  ${label.padEnd(INDENT - 3)} ${lines.join(`\n${' '.repeat(INDENT)}`)}`
}

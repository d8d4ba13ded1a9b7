import { COMMANDS, type CommandInfo, type CommandName } from '../config/commands.ts'
import type { Flag } from '../config/flags.ts'
import type { Door } from '../contracts/door.ts'

/** Prints help for one command, or for the whole program with the flags of a run. */
export function showHelp(door: Door, command: CommandName | undefined): number {
  door.print(command === undefined ? overview() : usage(command))
  return 0
}

function overview(): string {
  const commands = Object.entries(COMMANDS).map(([name, { describe }]) => row(name, describe))
  return `kode-run: a coding agent for places where nobody is there to answer.

Usage: kode-run [run] [prompt] [flags]
       kode-run COMMAND [arguments] [flags]      (kode-run COMMAND --help)

Commands:
${commands.join('\n')}

Flags of a run:
${flagRows(COMMANDS.run.flags)}

Everything but the task can stand in the policy file. There is no flag that skips permissions.
`
}

function usage(command: CommandName): string {
  const info: CommandInfo = COMMANDS[command]
  return `kode-run ${command} ${info.usage}\n\n${info.describe}\n\nFlags:\n${flagRows(info.flags)}\n`
}

function flagRows(flags: Readonly<Record<string, Flag>>): string {
  return Object.entries(flags)
    .map(([name, flag]) => {
      const short = flag.alias?.find((alias) => alias.length === 1)
      const label = `${short === undefined ? '' : `-${short}, `}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`
      return row(label, `${flag.describe}${flag.fallback === undefined ? '' : ` (${flag.fallback})`}`)
    })
    .join('\n')
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(34)} ${text}`
}

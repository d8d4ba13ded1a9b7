import { COMMANDS, type CommandInfo } from '../config/commands.ts'
import type { Flag } from '../config/Flag.ts'
import { RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import type { CommandLine } from './runCommandLine.ts'

/** `kode-run completion SHELL`: a script that completes commands, flags and their fixed values. */
export async function completion(io: ProcessIo, { positionals: [shell = ''] }: CommandLine): Promise<number> {
  if (shell === 'fish') io.print(fish())
  else if (shell === 'bash') io.print(bash())
  else if (shell === 'zsh') io.print(`#compdef kode-run\nautoload -U +X bashcompinit && bashcompinit\n${bash()}`)
  else throw new RunError('usage', `completion: ${JSON.stringify(shell)} is not one of bash, zsh, fish.`)
  return 0
}

const commands: Readonly<Record<string, CommandInfo>> = COMMANDS
const names = [...new Set(Object.keys(commands).map((name) => name.split(' ')[0] ?? name))]
const ofPolicy = Object.keys(commands).flatMap((name) => (name.startsWith('policy ') ? [name.slice(7)] : []))

function bash(): string {
  const cases = Object.entries(commands).map(([name, { flags }]) => `    '${name}') flags='${wordsOf(flags)}' ;;`)
  const values = Object.entries(choices()).map(
    ([flag, words]) => `    --${flag}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word")); return ;;`,
  )
  return `_kode_run() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" flags
  if [ "$COMP_CWORD" = 1 ] && [ "\${word#-}" = "$word" ]; then COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$word")); return; fi
  if [ "$command" = policy ]; then
    if [ "$COMP_CWORD" = 2 ]; then COMPREPLY=($(compgen -W '${ofPolicy.join(' ')}' -- "$word")); return; fi
    command="policy \${COMP_WORDS[2]}"
  fi
  case "$before" in
${values.join('\n')}
  esac
  case "$command" in
${cases.join('\n')}
    *) flags='${wordsOf(COMMANDS.run.flags)}' ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
  esac
}
complete -o default -F _kode_run kode-run
`
}

function fish(): string {
  const first = names.map((name) => {
    const about = commands[name]?.describe ?? 'check, explain, test and compare policies'
    return `complete -c kode-run -n __fish_use_subcommand -a ${name} -d ${quote(about)}`
  })
  const policy = ofPolicy.map(
    (name) =>
      `complete -c kode-run -n '__fish_seen_subcommand_from policy' -a ${name} -d ${quote(commands[`policy ${name}`]?.describe ?? '')}`,
  )
  const flags = Object.entries(allFlags()).map(([name, { describe, kind, choices: words, alias }]) => {
    const short = alias?.find((other) => other.length === 1)
    const value = kind === 'switch' ? '' : words === undefined ? ' -r' : ` -x -a ${quote(words.join(' '))}`
    return `complete -c kode-run -l ${name}${short === undefined ? '' : ` -s ${short}`}${value} -d ${quote(describe)}`
  })
  return `${[...first, ...policy, ...flags].join('\n')}\n`
}

function allFlags(): Readonly<Record<string, Flag>> {
  return Object.assign({}, ...Object.values(commands).map(({ flags }) => flags), COMMANDS.run.flags)
}

function choices(): Readonly<Record<string, readonly string[]>> {
  const listed = Object.entries(allFlags()).flatMap(([name, flag]) =>
    flag.choices === undefined ? [] : [[name, flag.choices] as const],
  )
  return Object.fromEntries(listed)
}

function wordsOf(flags: Readonly<Record<string, Flag>>): string {
  return Object.keys(flags)
    .map((name) => `--${name}`)
    .join(' ')
}

/** In single quotes, as fish reads them. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

import { builders } from './builders.ts'
import { git } from './git.ts'
import { interpreters } from './interpreters.ts'
import { network } from './network.ts'
import type { Program } from './Program.ts'
import { tools } from './tools.ts'

const programs = new Map<string, Program>(
  [git, tools, network, interpreters, builders]
    .flat()
    .flatMap((program) => program.names.split(' ').map((name): [string, Program] => [name.toLowerCase(), program])),
)

/** What is known about a program, by its name in lower case without a folder; `python3.12` is `python3`. */
export function knownProgram(name: string): Program | undefined {
  return (
    programs.get(name) ??
    programs.get(name.replace(/^(python3|pip3|ruby|lua|php|perl|node|gcc|g\+\+|clang|clang\+\+)[-.\d]+$/, '$1'))
  )
}

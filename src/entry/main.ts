import { type FlagValues, parseArguments } from '../config/parseArguments.ts'
import { asRunError, EXIT_CODES, messageOf, reasonOf } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { descriptorOf } from '../lib/fs/readInputFile.ts'
import { isRunnerSecret } from '../lib/secrets/secretsFromEnvironment.ts'
import { VERSION } from '../lib/version.ts'
import { encodeUntrusted } from '../report/markdown/encodeUntrusted.ts'

/** How the process handles what it inherited. A caller that runs inside another process handles nothing. */
export type Inheritance = {
  /** Closes inherited descriptors except `kept`; returns those that stay open because they hold a lock. */
  closeDescriptors(kept: readonly number[]): readonly number[]
  /** Takes secrets out of the environment that other processes can read. */
  hideSecrets(): Promise<void>
}

/** The command line: arguments and environment in, exit code out. Never throws: it prints errors to stderr. */
export function main(io: ProcessIo, inheritance?: Inheritance): Promise<number> {
  return execute(io, inheritance).catch((error: unknown) => complain(io, error))
}

async function execute(io: ProcessIo, inheritance: Inheritance | undefined): Promise<number> {
  const invocation = parseArguments(io.argv)
  if (invocation.show === 'version') {
    io.print(`${VERSION}\n`)
    return 0
  }
  if (invocation.show === 'help') return (await import('../commands/showHelp.ts')).showHelp(io, invocation.topic)
  const named = [invocation.flags['api-key-fd'], descriptorOf(String(invocation.flags['prompt-file']))]
  const locked = inheritance?.closeDescriptors(named.filter((fd) => typeof fd === 'number')) ?? []
  for (const fd of locked)
    io.warn(`kode-run: descriptor ${fd} holds a lock. It stays open, and every child process inherits it.\n`)
  if (invocation.command === 'run') {
    if (hasOwnSecret(io, invocation.flags)) await inheritance?.hideSecrets()
    return (await import('./runFromCli.ts')).runFromCli(io, invocation)
  }
  return (await import('../commands/runCommandLine.ts')).runCommandLine(io, invocation)
}

/** True if the run needs a credential of its own and took it from the environment of this process. */
function hasOwnSecret({ environment }: ProcessIo, flags: FlagValues): boolean {
  const isNeeded = ['api-key-fd', 'api-key-file', 'replay'].every((name) => flags[name] === undefined)
  const own = Object.keys(environment).filter((name) => isRunnerSecret(name) && environment[name])
  return own.some((name) => isNeeded || name.startsWith('OTEL_'))
}

/** Says an error on stderr: a `RunError` is for a person to fix, everything else is a defect. Returns the exit code. */
export function complain(io: ProcessIo, thrown: unknown): number {
  const error = asRunError(thrown)
  const reason = reasonOf(error)
  const stack = reason === 'internal' && error instanceof Error ? `\n${error.stack}` : ''
  io.warn(encodeUntrusted(`kode-run: ${messageOf(error)}${stack}`))
  return EXIT_CODES[reason].code
}

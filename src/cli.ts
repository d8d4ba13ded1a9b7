#!/usr/bin/env node
import nodeModule from 'node:module'
import { type FlagValues, parseArguments } from './config/parseArguments.ts'
import { EXIT_CODES, messageOf, RunError } from './contracts/errors.ts'
import { closeInherited } from './door/closeInherited.ts'
import { openDoor, type ProcessDoor } from './door/openDoor.ts'
import { VERSION } from './lib/version.ts'
import { encodeUntrusted } from './report/encodeUntrusted.ts'

/** The way in from the command line: argv and environment in, exit code out. */
async function main(door: ProcessDoor): Promise<number> {
  const invocation = parseArguments(door.argv)
  if (invocation.show === 'version') {
    door.print(`${VERSION}\n`)
    return 0
  }
  if (invocation.show === 'help') return (await import('./door/showHelp.ts')).showHelp(door, invocation.command)
  const locked = closeInherited(invocation.flags['api-key-fd'] as number | undefined)
  for (const fd of locked) door.warn(`kode-run: descriptor ${fd} holds a lock and stays open for all that is run.\n`)
  if (invocation.command === 'run') {
    if (isKeyInEnvironment(door, invocation.flags)) (await import('./door/startAnew.ts')).startAnew()
    return (await import('./door/runFromCli.ts')).runFromCli(door, invocation)
  }
  return (await import('./commands/runCommandLine.ts')).runCommandLine(door, invocation)
}

/** True where the key came by the environment of this very process, and the run needs it. */
function isKeyInEnvironment({ isSuccessor, environment }: ProcessDoor, flags: FlagValues): boolean {
  const isNeeded = ['api-key-fd', 'api-key-file', 'replay'].every((name) => flags[name] === undefined)
  return isNeeded && !isSuccessor && Boolean(environment['ANTHROPIC_API_KEY'])
}

/** The one catch: a `RunError` is for a person to mend, everything else is a defect. */
function complain(door: ProcessDoor, error: unknown): number {
  const reason = error instanceof RunError ? error.reason : 'internal'
  const isDefect = reason === 'internal' || door.argv.includes('--verbose')
  const stack = isDefect && error instanceof Error ? `\n${error.stack}` : ''
  door.warn(encodeUntrusted(`kode-run: ${messageOf(error)}${stack}`))
  return EXIT_CODES[reason].code
}

// Node 22 and later keep compiled code between runs; older lines do without.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
enableCompileCache?.()
const door = openDoor()
door.end(await main(door).catch((error: unknown) => complain(door, error)))

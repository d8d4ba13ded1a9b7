#!/usr/bin/env node
import nodeModule from 'node:module'
import { type FlagValues, parseArguments } from './config/parseArguments.ts'
import { EXIT_CODES, messageOf, RunError } from './contracts/errors.ts'
import { closeInheritedDescriptors } from './entry/closeInheritedDescriptors.ts'
import { openProcessIo, type ProcessControl } from './entry/openProcessIo.ts'
import { descriptorOf } from './lib/fs/readDescriptor.ts'
import { VERSION } from './lib/version.ts'
import { encodeUntrusted } from './report/markdown/encodeUntrusted.ts'

/** The way in from the command line: argv and environment in, exit code out. */
async function main(io: ProcessControl): Promise<number> {
  const invocation = parseArguments(io.argv)
  if (invocation.show === 'version') {
    io.print(`${VERSION}\n`)
    return 0
  }
  if (invocation.show === 'help') return (await import('./commands/showHelp.ts')).showHelp(io, invocation.topic)
  const named = [invocation.flags['api-key-fd'], descriptorOf(String(invocation.flags['prompt-file']))]
  const locked = closeInheritedDescriptors(named.filter((fd) => typeof fd === 'number'))
  for (const fd of locked) io.warn(`kode-run: descriptor ${fd} holds a lock and stays open for all that is run.\n`)
  if (invocation.command === 'run') {
    if (isKeyInEnvironment(io, invocation.flags))
      (await import('./entry/reexecWithoutSecrets.ts')).reexecWithoutSecrets()
    return (await import('./entry/runFromCli.ts')).runFromCli(io, invocation)
  }
  return (await import('./commands/runCommandLine.ts')).runCommandLine(io, invocation)
}

/** True where the key came by the environment of this very process, and the run needs it. */
function isKeyInEnvironment({ isSuccessor, environment }: ProcessControl, flags: FlagValues): boolean {
  const isNeeded = ['api-key-fd', 'api-key-file', 'replay'].every((name) => flags[name] === undefined)
  return isNeeded && !isSuccessor && Boolean(environment['ANTHROPIC_API_KEY'])
}

/** The one catch: a `RunError` is for a person to fix, everything else is a defect. */
function complain(io: ProcessControl, error: unknown): number {
  const reason = error instanceof RunError ? error.reason : 'internal'
  const isDefect = reason === 'internal' || io.argv.includes('--verbose')
  const stack = isDefect && error instanceof Error ? `\n${error.stack}` : ''
  io.warn(encodeUntrusted(`kode-run: ${messageOf(error)}${stack}`))
  return EXIT_CODES[reason].code
}

// Node 22 and later keep compiled code between runs; older lines do without.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
enableCompileCache?.()
const io = openProcessIo()
io.end(await main(io).catch((error: unknown) => complain(io, error)))

import type { CommandName } from '../config/commands.ts'
import type { FlagValues } from '../config/parseArguments.ts'
import type { Door } from '../contracts/door.ts'

/** A sub-command as the command line gave it. */
export type CommandLine = {
  readonly command: CommandName
  readonly positionals: readonly string[]
  readonly flags: FlagValues
}

/** A sub-command; its value is the exit code. */
export type Command = (door: Door, line: CommandLine) => Promise<number>

/** Where each sub-command lives; only the one that is asked for is loaded. */
const COMMANDS: Readonly<Record<Exclude<CommandName, 'run'>, () => Promise<Command>>> = {
  'policy check': async () => (await import('./policyCheck.ts')).policyCheck,
  'policy explain': async () => (await import('./policyExplain.ts')).policyExplain,
  'policy test': async () => (await import('./policyTest.ts')).policyTest,
  'policy schema': async () => (await import('./policySchema.ts')).policySchema,
  apply: async () => (await import('./apply.ts')).apply,
  init: async () => (await import('./init.ts')).init,
  report: async () => (await import('./renderReport.ts')).renderReport,
  verify: async () => (await import('./verify.ts')).verify,
  mcp: async () => (await import('./listServers.ts')).listServers,
  tools: async () => (await import('./listTools.ts')).listTools,
}

/** Runs a sub-command. */
export async function runCommandLine(door: Door, line: CommandLine): Promise<number> {
  const { command } = line
  if (command === 'run') throw new Error('a run has a door of its own')
  return (await COMMANDS[command]())(door, line)
}

import type { CommandName } from '../config/commands.ts'
import type { FlagValues } from '../config/parseArguments.ts'
import type { ProcessIo } from '../contracts/processIo.ts'

export type CommandLine = {
  readonly command: CommandName
  readonly positionals: readonly string[]
  readonly flags: FlagValues
}

/** A sub-command; resolves to the exit code. */
export type Command = (io: ProcessIo, line: CommandLine) => Promise<number>

/** The module of each sub-command; only the requested one is loaded. */
const COMMANDS: Readonly<Record<Exclude<CommandName, 'run' | 'help' | 'version'>, () => Promise<Command>>> = {
  'policy check': async () => (await import('./policy/policyCheck.ts')).policyCheck,
  'policy explain': async () => (await import('./policy/policyExplain.ts')).policyExplain,
  'policy test': async () => (await import('./policy/policyTest.ts')).policyTest,
  'policy presets': async () => (await import('./policy/policyPresets.ts')).policyPresets,
  'policy suggest': async () => (await import('./policy/policySuggest.ts')).policySuggest,
  'policy replay': async () => (await import('./policy/policyReplay.ts')).policyReplay,
  'policy diff': async () => (await import('./policy/policyDiff.ts')).policyDiff,
  'policy schema': async () => {
    const { policyJsonSchema } = await import('../policy/load/policySchema.ts')
    return async (io) => {
      io.print(policyJsonSchema())
      return 0
    }
  },
  apply: async () => (await import('./apply.ts')).apply,
  completion: async () => (await import('./completion.ts')).completion,
  doctor: async () => (await import('./doctor.ts')).doctor,
  init: async () => (await import('./init.ts')).init,
  report: async () => (await import('./renderReport.ts')).renderReport,
  usage: async () => (await import('./usage.ts')).usage,
  verify: async () => (await import('./verify.ts')).verify,
  mcp: async () => (await import('./listServers.ts')).listServers,
  tools: async () => (await import('./listTools.ts')).listTools,
}

export async function runCommandLine(io: ProcessIo, line: CommandLine): Promise<number> {
  const { command } = line
  if (command === 'run' || command === 'help' || command === 'version')
    throw new Error(`${command} is not a sub-command`)
  return (await COMMANDS[command]())(io, line)
}

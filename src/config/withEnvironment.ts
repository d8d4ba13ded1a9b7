import { RunError } from '../contracts/errors.ts'
import { nearest } from '../lib/text/nearest.ts'
import type { Flag } from './Flag.ts'
import { RUN_FLAGS, type RunFlagName } from './flags.ts'
import type { FlagValue, FlagValues } from './parseArguments.ts'
import { readFlag } from './readFlag.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Variables that kode-run itself sets for its processes. */
const OWN_VARIABLES = ['KODE_RUN_HANDOVER', 'KODE_RUN_ID', 'KODE_RUN_COMMAND']

/**
 * The flags of a run, with values from the environment for those that the command line leaves out. A malformed value is
 * a `usage` error that names the variable.
 */
export function withEnvironment(flags: FlagValues, environment: Environment): FlagValues {
  const added: Record<string, FlagValue> = {}
  for (const name of Object.keys(RUN_FLAGS) as RunFlagName[]) {
    const value = flags[name] === undefined ? fromEnvironment(name, environment) : undefined
    if (value !== undefined) added[name] = value
  }
  return { ...added, ...flags }
}

/** Warnings about unknown `KODE_RUN_` variables, each with the closest known one. */
export function unknownVariables(environment: Environment): readonly string[] {
  const known = [...Object.keys(RUN_FLAGS).map(variableOf), ...OWN_VARIABLES]
  return Object.keys(environment)
    .filter((name) => name.startsWith('KODE_RUN_') && !known.includes(name))
    .toSorted()
    .map((name) => {
      const near = nearest(name, known)
      return `${name} in the environment is unknown${near === undefined ? '' : ` (did you mean ${near}?)`}`
    })
}

/** `KODE_RUN_MAX_TURNS` for `max-turns`. */
function variableOf(flag: string): string {
  const words = flag.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_')
  return `KODE_RUN_${words.toUpperCase()}`
}

/** The value of a flag from the environment: its own variable, then those that the flag names. */
function fromEnvironment(name: RunFlagName, environment: Environment): FlagValue | undefined {
  const flag: Flag = RUN_FLAGS[name]
  const candidates = [variableOf(name), ...(flag.environment ?? [])]
  const variable = candidates.find((candidate) => (environment[candidate] ?? '').trim() !== '')
  if (variable === undefined) return undefined
  const text = environment[variable] ?? ''
  try {
    if (flag.kind === 'switch') return readSwitch(name, text)
    return readFlag(name, flag, text)
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    throw new RunError('usage', error.message.replace(`--${name}`, `${variable} (--${name})`))
  }
}

function readSwitch(name: string, text: string): boolean {
  if (text === '1' || text === 'true') return true
  if (text === '0' || text === 'false') return false
  throw new RunError('usage', `--${name}: ${JSON.stringify(text.slice(0, 60))} is not one of 1, true, 0, false.`)
}

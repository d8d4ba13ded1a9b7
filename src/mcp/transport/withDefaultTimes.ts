import { RunError } from '../../contracts/errors.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The entry with default times from the operator's environment: `MCP_TIMEOUT` for the start, `MCP_TOOL_TIMEOUT` for a
 * call, in milliseconds, as in Claude Code. Throws `RunError('config')` for an invalid number.
 */
export function withDefaultTimes(settings: McpServerSettings, environment: Environment): McpServerSettings {
  const startTimeout = settings.startTimeout ?? secondsIn('MCP_TIMEOUT', environment)
  const timeout = settings.timeout ?? secondsIn('MCP_TOOL_TIMEOUT', environment)
  return {
    ...settings,
    ...(startTimeout === undefined ? {} : { startTimeout }),
    ...(timeout === undefined ? {} : { timeout }),
  }
}

function secondsIn(name: string, environment: Environment): number | undefined {
  const text = environment[name]?.trim() ?? ''
  if (text === '') return undefined
  if (/^[1-9]\d*$/.test(text)) return Number(text) / 1000
  throw new RunError('config', `${name}: ${JSON.stringify(text)} is not a number of milliseconds.`)
}

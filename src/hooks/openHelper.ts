import { RunError } from '../contracts/errors.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { runCommand } from '../lib/process/runCommand.ts'
import { childPath } from '../sandbox/environment/childPath.ts'
import { startsOutside } from './startsOutside.ts'

const PATIENCE_MS = 60_000

export type HelperPlace = {
  readonly home: string
  readonly cwd: string
  readonly checkout: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * A command line of the operator that prints credentials, run by bash outside the sandbox and outside the checkout, with
 * the operator's variables. The function returns its output. Throws `RunError('config')` if it names something in the
 * checkout; the function throws `RunError('auth')` if it fails. `key` is what it is called in messages.
 */
export function openHelper(place: HelperPlace, key: string, command: string) {
  const { home, checkout } = place
  const cwd = checkout.some((root) => isWithin(home, root)) ? '/' : home
  if (!startsOutside({ type: 'command', command }, { cwd, checkout }))
    throw new RunError('config', `${key} names something in the checkout: name a program outside it`)
  return async (signal: AbortSignal, more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const { exitCode, stdout, stderr, startError, isTimedOut } = await runCommand({
      file: 'bash',
      args: ['--noprofile', '--norc', '-p', '-c', command],
      cwd,
      env: { ...variablesOf(place), ...more },
      timeoutMs: PATIENCE_MS,
      signal,
    })
    const why = startError ?? (isTimedOut ? `no answer within ${PATIENCE_MS / 1000} s` : `exit code ${exitCode}`)
    if (exitCode !== 0) throw new RunError('auth', `${key} failed (${why}): ${stderr.text.trim().slice(-500)}`)
    return stdout.text
  }
}

/** How a server's `headersHelper` runs. It may read the operator's credentials, so one of the checkout never runs. */
export function serverHelpers(place: HelperPlace) {
  return {
    own: async (key: string, command: string, env: Readonly<Record<string, string>>, signal: AbortSignal) =>
      openHelper(place, key, command)(signal, env),
    ofProject: async (key: string): Promise<string> => {
      const way = 'name the server in the policy, or give it with --mcp-config'
      throw new RunError('mcp_unavailable', `${key} comes from the checkout and is not run; ${way}`)
    },
  }
}

/** The operator's variables, without those that lead programs to code in the checkout. */
function variablesOf({ environment, cwd, checkout }: HelperPlace): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !checkout.some((root) => entry[1]?.includes(root)),
  )
  const path = [cwd, ...checkout].reduce((left, root) => childPath(left, root), environment['PATH'] ?? '')
  return { ...Object.fromEntries(kept), PATH: path }
}

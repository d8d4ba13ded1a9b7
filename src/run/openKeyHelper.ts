import type { Config } from '../config/resolveConfig.ts'
import { RunError } from '../contracts/errors.ts'
import { startsOutside } from '../hooks/startsOutside.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { runCommand } from '../lib/process/runCommand.ts'
import type { KeyHelper } from '../model/AnthropicOptions.ts'
import { assertApiKey } from '../model/assertApiKey.ts'
import { childPath } from '../sandbox/environment/childPath.ts'
import { type RunRequest, workspacesOf } from './RunRequest.ts'

/** How long the command may take. */
const PATIENCE_MS = 60_000

/**
 * `run.apiKeyHelper`: a command line of the policy that prints a key, run by bash outside the sandbox and outside the
 * checkout, with the operator's variables. `learn` gets each key before anybody uses it.
 */
export function openKeyHelper(
  request: RunRequest,
  { command, ttlMs }: NonNullable<Config['apiKeyHelper']>,
  learn: (key: string) => void,
): KeyHelper {
  const checkout = workspacesOf(request)
  const start = checkout.some((root) => isWithin(request.home, root)) ? '/' : request.home
  if (!startsOutside({ type: 'command', command }, { cwd: start, checkout }))
    throw new RunError('config', 'run.apiKeyHelper names something in the checkout: name a program outside it')
  let key = ''
  let endsAt = 0
  let asking: Promise<string> | undefined
  const ask = async () => {
    const { exitCode, stdout, stderr, startError, isTimedOut } = await runCommand({
      file: 'bash',
      args: ['--noprofile', '--norc', '-p', '-c', command],
      cwd: start,
      env: variablesOf(request, checkout),
      timeoutMs: PATIENCE_MS,
      signal: request.signal,
    })
    const why = startError ?? (isTimedOut ? `no answer within ${PATIENCE_MS / 1000} s` : `exit code ${exitCode}`)
    if (exitCode !== 0)
      throw new RunError('auth', `run.apiKeyHelper failed (${why}): ${stderr.text.trim().slice(-500)}`)
    const found = assertApiKey(stdout.text, 'the output of run.apiKeyHelper')
    learn(found)
    key = found
    endsAt = performance.now() + ttlMs
    return key
  }
  return {
    get() {
      if (performance.now() < endsAt) return Promise.resolve(key)
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    refuse() {
      endsAt = 0
    },
    last: () => key,
  }
}

/** The operator's variables, without those that lead programs to code in the checkout. */
function variablesOf({ environment, config }: RunRequest, checkout: readonly string[]): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !checkout.some((root) => entry[1]?.includes(root)),
  )
  return { ...Object.fromEntries(kept), PATH: childPath(environment['PATH'], config.cwd) }
}

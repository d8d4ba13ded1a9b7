import type { CommandRequest, CommandResult } from '../../contracts/commands.ts'
import { runCommand } from '../../lib/process/runCommand.ts'
import type { RunGit } from './ownGit.ts'

const TIMEOUT_MS = 120_000

/**
 * Git in a directory of our own, as a child that sees a search path and the caller's variables, and nothing else of
 * this process.
 */
export function createGitRunner(path: string): RunGit {
  return gitBy((request) => runCommand({ ...request, env: { PATH: path, ...request.env } }))
}

/** The same, started by `run`. */
export function gitBy(run: (request: CommandRequest) => Promise<CommandResult>): RunGit {
  const never = new AbortController().signal
  return async (args, env, signal = never, input) => {
    const own = { file: 'git', args, cwd: env.GIT_DIR, timeoutMs: TIMEOUT_MS, signal, env }
    const { exitCode, stdout } = await run({ ...own, ...(input !== undefined && { input }) })
    return exitCode === 0 && !stdout.isTruncated ? stdout.text : undefined
  }
}

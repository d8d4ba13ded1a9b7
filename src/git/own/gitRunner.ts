import { runCommand } from '../../lib/process/runCommand.ts'
import type { RunGit } from './ownGit.ts'

const TIMEOUT_MS = 120_000

/**
 * Git in a directory of our own, as a child that sees a search path and the caller's variables, and nothing else of
 * this process.
 */
export function createGitRunner(path: string): RunGit {
  return async (args, environment, signal = new AbortController().signal, input) => {
    const { GIT_DIR: cwd } = environment
    const { exitCode, stdout } = await runCommand({
      ...{ file: 'git', args, cwd, timeoutMs: TIMEOUT_MS, signal },
      env: { PATH: path, ...environment },
      ...(input !== undefined && { input }),
    })
    return exitCode === 0 && !stdout.isTruncated ? stdout.text : undefined
  }
}

import type { RunGit } from './ownGit.ts'
import { runCommand } from './runCommand.ts'

const TIMEOUT_MS = 120_000

/** Git as a child in `cwd` that sees a search path and what the caller gives, nothing else of this process. */
export function createGitRunner(cwd: string, path: string): RunGit {
  return async (args, environment) => {
    const { exitCode, stdout } = await runCommand({
      ...{ file: 'git', args, cwd, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal },
      env: { PATH: path, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...environment },
    })
    return exitCode === 0 ? stdout.text : undefined
  }
}

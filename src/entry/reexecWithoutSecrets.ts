import { withoutSecrets, writeHandover } from '../sandbox/handover.ts'

type Successor = (file: string, args: readonly string[], environment: Readonly<Record<string, string>>) => never

/**
 * Replaces this process with one without secrets in its environment, which every process of the same user could read in
 * `/proc`. The new process gets them through a file that is deleted when `openProcessIo` reads it. If Node cannot
 * replace a process (before 22.15), it returns, and the secrets are only removed from `process.env`.
 */
export function reexecWithoutSecrets(): void {
  const execve: Successor | undefined = Reflect.get(process, 'execve')
  const { execPath, execArgv, argv, env, platform } = process
  if (typeof execve === 'function' && platform !== 'win32') {
    execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], writeHandover(env))
  }
  const kept = withoutSecrets(env)
  for (const name of Object.keys(env)) if (!(name in kept)) delete env[name]
}

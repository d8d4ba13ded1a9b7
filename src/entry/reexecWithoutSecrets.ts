import { withoutSecrets, writeHandover } from '../sandbox/handover.ts'

type Successor = (file: string, args: readonly string[], environment: Readonly<Record<string, string>>) => never

/**
 * Replaces this process by one whose environment, which every process of the same user can read in `/proc`, holds no
 * secret: the successor's `openProcessIo` finds what it needs in a file that is gone when it is read. Returns where Node cannot
 * do that (it can from 22.15 on, but not on Windows); then the secrets are only out of `process.env`.
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

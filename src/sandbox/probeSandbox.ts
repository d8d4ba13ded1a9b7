import { type ExecFileException, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Enforcement } from '../contracts/events.ts'
import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'

const PROBE_MS = 15_000

/** Whether the sandbox is in force, and why or why not, in words. */
export type SandboxState = { readonly state: Enforcement; readonly detail: string }

export const IN_FORCE: SandboxState = { state: 'enforced', detail: 'bubblewrap' }

/** Starts one command in the sandbox. It delays the first request, so it leaves out what a real command needs. */
export async function probeSandbox(wrap: (command: Invocation, cwd: string) => BoxedInvocation): Promise<SandboxState> {
  const { file, args, ended } = wrap({ file: 'sh', args: ['-c', 'exit 0'] }, '/')
  const why = await runProbe(file, args)
  await ended()
  return why === undefined ? IN_FORCE : { state: 'off', detail: why }
}

/** What went wrong; undefined if nothing did. */
export async function runProbe(file: string, args: readonly string[]): Promise<string | undefined> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  const running = promisify(execFile)(file, args, { cwd: '/', env, timeout: PROBE_MS, killSignal: 'SIGKILL' })
  running.child.stdin?.end()
  return running.then(
    () => undefined,
    ({ stderr, killed, message }: ExecFileException) =>
      stderr?.trim() || (killed === true ? 'it did not start in time' : message),
  )
}

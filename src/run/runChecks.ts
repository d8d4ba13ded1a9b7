import type { CheckEvent, RunEvent } from '../contracts/events.ts'
import type { Session } from './Session.ts'

const CHECK_TIMEOUT_MS = 20 * 60_000
const SHOWN_CHARS = 6000

/** What the checks of one attempt came to; `words` is what the agent is told of the failures. */
export type CheckRound = { readonly isGood: boolean; readonly failed: readonly string[]; readonly words: string }

/** Runs the user's own commands, one after the other, in the project root. Yields each as it ends. */
export async function* runChecks(session: Session, attempt: number): AsyncGenerator<RunEvent, CheckRound, undefined> {
  const failures: CheckEvent[] = []
  for (const command of session.policy.settings.checks.commands) {
    if (session.signal.aborted) break
    const event = await runCheck(session, command, attempt)
    yield event
    if (!event.ok) failures.push(event)
  }
  const words = failures.map(
    (event) => `\`${event.command}\` failed (exit code ${event.exit_code ?? 'none'}):\n${event.output}`,
  )
  return { isGood: failures.length === 0, failed: failures.map(({ command }) => command), words: words.join('\n\n') }
}

async function runCheck(session: Session, command: string, attempt: number): Promise<CheckEvent> {
  const done = await session.children.commands.run({
    file: 'bash',
    args: ['--noprofile', '--norc', '-p', '-c', command],
    cwd: session.config.cwd,
    timeoutMs: CHECK_TIMEOUT_MS,
    signal: session.signal,
  })
  const ended = done.isTimedOut ? '\n(timed out)' : ''
  const output = `${done.startError ?? ''}${done.stdout.text}${done.stderr.text}${ended}`
  return {
    type: 'system',
    subtype: 'check',
    command,
    attempt,
    ok: done.exitCode === 0 && !done.isTimedOut && done.startError === undefined,
    exit_code: done.exitCode,
    duration_ms: Math.round(done.durationMs),
    output: output.length > SHOWN_CHARS ? `…${output.slice(-SHOWN_CHARS)}`.toWellFormed() : output,
  }
}

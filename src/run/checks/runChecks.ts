import type { EffectsReport } from '../../contracts/effects.ts'
import type { CheckEvent, RunEvent } from '../../contracts/events.ts'
import { describeEffects } from '../../effects/describeEffects.ts'
import { checkFailure } from '../../report/fold/checkFailure.ts'
import type { Session } from '../Session.ts'

const CHECK_TIMEOUT_MS = 20 * 60_000
const SHOWN_CHARS = 6000

/** The results of the checks of one attempt. `message` describes the failures to the agent. */
export type CheckRound = { readonly isGood: boolean; readonly failed: readonly string[]; readonly message: string }

/** Runs the check commands one after the other in the project root. Yields the result of each. */
export async function* runChecks(session: Session, attempt: number): AsyncGenerator<RunEvent, CheckRound, undefined> {
  const failures: CheckEvent[] = []
  for (const command of session.policy.settings.checks.commands) {
    if (session.signal.aborted) break
    yield { type: 'system', subtype: 'activity', text: `check ${command}`, parent_tool_use_id: null }
    const event = await runCheck(session, command, attempt)
    yield event
    if (!event.ok) failures.push(event)
  }
  const words = failures.map(
    ({ command, exit_code, output }) => `\`${command}\` failed ${checkFailure(exit_code)}:\n${output}`,
  )
  return { isGood: failures.length === 0, failed: failures.map(({ command }) => command), message: words.join('\n\n') }
}

async function runCheck(session: Session, command: string, attempt: number): Promise<CheckEvent> {
  const done = await session.children.commands.run({
    file: 'bash',
    args: ['--noprofile', '--norc', '-p', '-c', command],
    cwd: session.config.cwd,
    effects: { access: 'scratch', mayChangeGit: false, by: `check ${command}` },
    timeoutMs: CHECK_TIMEOUT_MS,
    signal: session.signal,
  })
  const isCut = done.isTimedOut || done.isAborted
  const ended = done.isTimedOut ? '\n(timed out)' : done.isAborted ? '\n(cut off by the end of the run)' : ''
  const { effects } = done
  const words = effects === undefined ? '' : wordsOf(effects, session.config.cwd)
  const output = `${done.startError ?? ''}${done.stdout.text}${done.stderr.text}${ended}${words}`
  return {
    type: 'system',
    subtype: 'check',
    command,
    attempt,
    ok: done.exitCode === 0 && !isCut && done.startError === undefined && !isTainted(effects),
    exit_code: done.exitCode,
    duration_ms: Math.round(done.durationMs),
    output: output.length > SHOWN_CHARS ? `…${output.slice(-SHOWN_CHARS)}`.toWellFormed() : output,
  }
}

/**
 * True if a check changed files that no rule covers. It may have rewritten what it checks, so its exit code proves
 * nothing.
 */
function isTainted(effects: EffectsReport | undefined): boolean {
  return effects !== undefined && (effects.undone.length > 0 || effects.unknown !== undefined)
}

function wordsOf(effects: EffectsReport, root: string): string {
  const words = describeEffects(effects, root)
  if (words === '') return ''
  return isTainted(effects) ? `\n${words} A check that changes other files fails.` : `\n${words}`
}

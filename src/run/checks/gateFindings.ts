import type { RunEvent } from '../../contracts/events.ts'
import { counted } from '../../lib/text/words.ts'
import type { LoopEnd } from '../../query.ts'
import type { Session } from '../Session.ts'

type Level = 'error' | 'warning'

/** The lowest level of a finding that fails the run, from the policy or `--fail-on-finding`; undefined if none does. */
export function findingLevel({ config, policy }: Pick<Session, 'config' | 'policy'>): Level | undefined {
  return policy.settings.checks.findings ?? (config.failOnFinding ? 'error' : undefined)
}

/** True if the agent gets ReportFinding from the start: findings can fail the run, or the task mentions them. */
export function asksForFindings(session: Pick<Session, 'config' | 'policy' | 'prompt'>): boolean {
  return findingLevel(session) !== undefined || /\bfindings?\b|\bReportFinding\b/i.test(session.prompt)
}

/** Passes the work through, and turns a completed run into a failure if findings of `level` or worse were reported. */
export async function* gateFindings(
  work: AsyncGenerator<RunEvent, LoopEnd, undefined>,
  level: Level | undefined,
): AsyncGenerator<RunEvent, LoopEnd, undefined> {
  const counts = { error: 0, warning: 0, info: 0 }
  let item = await work.next()
  while (item.done !== true) {
    const event = item.value
    if (event.type === 'system' && event.subtype === 'finding') counts[event.severity] += 1
    yield event
    item = await work.next()
  }
  const end = item.value
  const bad = counts.error + (level === 'warning' ? counts.warning : 0)
  if (level === undefined || bad === 0 || end.reason !== 'completed') return end
  const levels = level === 'warning' ? (['error', 'warning'] as const) : (['error'] as const)
  const parts = levels.filter((each) => counts[each] > 0).map((each) => counted(counts[each], each))
  return { ...end, reason: 'findings', detail: `The agent reported ${parts.join(' and ')}.` }
}

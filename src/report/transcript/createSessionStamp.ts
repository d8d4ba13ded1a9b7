import { randomUUID } from 'node:crypto'
import type { RunEvent, SessionFields } from '../../contracts/events.ts'
import type { Usage } from '../../contracts/messages.ts'

export type SessionStampOptions = {
  readonly sessionId: string
  /** The price of an answer in US dollars; null if it is not known. */
  readonly costOf: (model: string, usage: Usage) => number | null
}

/**
 * The fields of Claude Code's own session files (`~/.claude/projects/*\/*.jsonl`), for their readers. Each record has a
 * `uuid`. Messages are chained by `parentUuid`, each sub-agent's in a chain of its own. What is paid for outside of
 * messages has a `message` with its usage, so that readers which add up usage get the sum of the run.
 */
export function createSessionStamp({ sessionId, costOf }: SessionStampOptions) {
  const last = new Map<string | null, string>()
  const answers = new Map<string | null, { readonly id: string; readonly parentUuid: string | null }>()
  let place: Pick<SessionFields, 'cwd' | 'version' | 'gitBranch'> = {}

  const paid = (model: string, usage: Usage, cost: number | null): SessionFields => ({
    ...{ sessionId, message: { model, usage } },
    ...(cost === null ? {} : { costUSD: cost }),
  })
  const message = (uuid: string, event: Extract<RunEvent, { type: 'assistant' | 'user' }>): SessionFields => {
    const { parent_tool_use_id: owner } = event
    const parentUuid = last.get(owner) ?? null
    last.set(owner, uuid)
    const fields = { parentUuid, isSidechain: owner !== null, sessionId, userType: 'external', ...place } as const
    if (event.type === 'user') return fields
    const { id, model, usage } = event.message
    answers.set(owner, { id, parentUuid })
    const cost = costOf(model, usage)
    return { ...fields, ...(cost === null ? {} : { costUSD: cost }) }
  }
  /** A complete answer that is discarded is no part of its chain. */
  const unchain = (owner: string | null, id: string | undefined): void => {
    const answer = answers.get(owner)
    if (answer === undefined || answer.id !== id) return
    if (answer.parentUuid === null) last.delete(owner)
    else last.set(owner, answer.parentUuid)
  }
  /** The fields of the next event, whose time is `timestamp`. */
  return (event: RunEvent, timestamp: string): SessionFields => {
    const uuid = randomUUID()
    if (event.type === 'assistant' || event.type === 'user') return { uuid, timestamp, ...message(uuid, event) }
    if (event.type !== 'system') return { uuid }
    if (event.subtype === 'init') {
      const { cwd, version, base } = event
      place = { cwd, version, ...(base?.branch === undefined ? {} : { gitBranch: base.branch }) }
    }
    if (event.subtype === 'turn_discarded') unchain(event.parent_tool_use_id, event.message_id)
    if (event.subtype === 'turn_discarded' && event.spent !== undefined) {
      const { model, usage } = event.spent
      return { uuid, timestamp, ...paid(model, usage, costOf(model, usage)) }
    }
    if (event.subtype !== 'model_call') return { uuid }
    return { uuid, timestamp, ...paid(event.model, event.usage, event.cost_usd) }
  }
}

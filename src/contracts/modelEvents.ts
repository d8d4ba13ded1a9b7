import type { Owned, ToolOutcome } from './events.ts'
import type { Usage } from './messages.ts'
import type { ApiErrorKind } from './model.ts'

/** What happened to the requests of a run. */
export type ModelRequestEvent = ApiRetryEvent | ApiStallEvent | TurnDiscardedEvent | ModelFallbackEvent | ModelCallEvent

export type ApiRetryEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'api_retry'
  readonly attempt: number
  readonly max_retries: number
  readonly retry_delay_ms: number
  readonly error_status: number | null
  readonly error: ApiErrorKind
  readonly source: 'retry-after' | 'backoff'
  readonly detail: string
}

export type ApiStallEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'api_stall'
  readonly phase: string
  readonly silent_ms: number
}

export type TurnDiscardedEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'turn_discarded'
  readonly reason: string
  readonly blocks: number
  /** Outcomes of read-only calls that the discarded message had already started. The model never sees them. */
  readonly early: readonly ToolOutcome[]
  /** The discarded message, if it was already recorded. */
  readonly message_id?: string
  /** The minimum usage of a broken answer; a recorded one is counted in its own record. */
  readonly spent?: { readonly model: string; readonly usage: Usage }
}

export type ModelFallbackEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'model_fallback'
  readonly from: string
  readonly to: string
  readonly detail: string
}

/** A request outside the loop: `auto` mode's judge, WebFetch's reader, compaction, AskExpertModel. */
export type ModelCallEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'model_call'
  readonly purpose: string
  readonly model: string
  readonly prompt: string
  readonly answer: string
  readonly usage: Usage
  readonly cost_usd: number | null
  /** Set if the answer broke off: the actual usage may be higher. */
  readonly is_lower_bound?: true
}

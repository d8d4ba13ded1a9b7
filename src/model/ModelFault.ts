import type { ExitReason } from '../contracts/errors.ts'
import type { ApiErrorKind, ModelEvent } from '../contracts/model.ts'
import { formatDuration } from '../lib/duration.ts'

type StallPhase = Extract<ModelEvent, { type: 'stall' }>['phase']

export type FaultDetails = {
  readonly kind: ApiErrorKind
  /** How the run ends if this is the last word. */
  readonly reason: ExitReason
  readonly message: string
  readonly status?: number | null
  readonly canRetry: boolean
  /** The wait that the API asked for. */
  readonly retryAfterMs?: number
  /** Attempts of the whole request after which this fault is not tried again, where that is less than usual. */
  readonly maxAttempts?: number
  readonly stall?: { readonly phase: StallPhase; readonly silentMs: number }
}

/** What went wrong in one attempt, with all that the retry loop needs to decide. Never leaves this room. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault'
  readonly details: FaultDetails
  constructor(details: FaultDetails, options?: ErrorOptions) {
    super(details.message, options)
    this.details = details
  }
}

/** An answer that cannot be used, in this sentence. `maxAttempts` bounds those that cost a whole answer each. */
export function badStream(message: string, maxAttempts?: number): ModelFault {
  const bound = maxAttempts === undefined ? {} : { maxAttempts }
  return new ModelFault({ kind: 'bad_stream', reason: 'api_unavailable', message, canRetry: true, ...bound })
}

/** Silence that lasted too long. */
export function stalled(phase: StallPhase, silentMs: number): ModelFault {
  const stall = { phase, silentMs: Math.round(silentMs) }
  const message = `${WHERE[phase]} for ${formatDuration(silentMs)}`
  return new ModelFault({ kind: 'stalled', reason: 'api_unavailable', message, canRetry: phase !== 'ping_only', stall })
}

const WHERE: Readonly<Record<StallPhase, string>> = {
  connect: 'no connection',
  first_byte: 'the API was silent after the request',
  idle: 'the API was silent in mid-answer',
  ping_only: 'the API sent nothing but pings',
}

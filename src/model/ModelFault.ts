import type { ExitReason } from '../contracts/errors.ts'
import type { ApiErrorKind, ModelEvent } from '../contracts/model.ts'
import { formatDuration } from '../lib/text/words.ts'

type StallPhase = Extract<ModelEvent, { type: 'stall' }>['phase']

export type FaultDetails = {
  readonly kind: ApiErrorKind
  /** How the run ends if this fault is final. */
  readonly reason: ExitReason
  readonly message: string
  readonly status?: number | null
  readonly canRetry: boolean
  /** The wait that the API requested. */
  readonly retryAfterMs?: number
  /** The maximum number of attempts for this fault, if lower than usual. */
  readonly maxAttempts?: number
  readonly stall?: { readonly phase: StallPhase; readonly silentMs: number }
}

/** What went wrong in one attempt, with everything that the retry loop needs. Never leaves this module. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault'
  readonly details: FaultDetails
  constructor(details: FaultDetails, options?: ErrorOptions) {
    super(details.message, options)
    this.details = details
  }
}

/** An answer that cannot be used. `maxAttempts` limits faults that each cost a whole answer. */
export function badStream(message: string, maxAttempts?: number): ModelFault {
  const bound = maxAttempts === undefined ? {} : { maxAttempts }
  return new ModelFault({ kind: 'bad_stream', reason: 'api_unavailable', message, canRetry: true, ...bound })
}

/** A connection that failed. */
export function lost(message: string): ModelFault {
  return new ModelFault({ kind: 'connection', reason: 'api_unavailable', message, canRetry: true })
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

import { RunError } from '../../contracts/errors.ts'
import type { Exchange } from '../stream/streamAttempt.ts'
import type { ToolFeature } from '../tools/toolFeatures.ts'

/** Answers from a file instead of the network. */
export type Replay = {
  /** The forms of tools that are used, so that requests are the recorded ones whatever API is configured. */
  readonly features: readonly ToolFeature[]
  /** Never calls the next middleware. A request that does not match is a `RunError`, `replay_mismatch`. */
  readonly exchange: Exchange
  /** Throws `replay_mismatch` if unused answers are left. */
  assertDone(): void
}

/** A response whose body ends after the given text, or breaks with `end`. */
export function replayedResponse(
  init: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  body: string | Uint8Array,
  end?: Error,
): Response {
  async function* parts() {
    if (body.length > 0) yield Buffer.from(body)
    if (end !== undefined) throw end
  }
  return new Response(ReadableStream.from(parts()), init)
}

/** A request that the recording or script does not expect, or an answer of it that nobody asked for. */
export function mismatch(message: string): RunError {
  return new RunError('replay_mismatch', message)
}

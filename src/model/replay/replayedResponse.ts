import { RunError } from '../../contracts/errors.ts'
import type { Exchange } from '../stream/streamAttempt.ts'
import type { ToolFeatures } from '../tools/toolFeatures.ts'

/** Answers from a file instead of the network. */
export type Replay = {
  /** The forms of tools that are used, so that requests are the recorded ones whatever API is configured. */
  readonly features: ToolFeatures
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
  const encoder = new TextEncoder()
  let isSent = body.length === 0
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!isSent) {
          isSent = true
          controller.enqueue(typeof body === 'string' ? encoder.encode(body) : body)
        } else if (end === undefined) controller.close()
        else controller.error(end)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, init)
}

/** A request that the recording or script does not expect, or an answer of it that nobody asked for. */
export function mismatch(message: string): RunError {
  return new RunError('replay_mismatch', message)
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Middleware } from '@anthropic-ai/sdk'
import { orElse } from '../../lib/orElse.ts'
import { printable } from '../classifyError.ts'
import { badStream } from '../ModelFault.ts'
import type { ToolInputs } from './createToolInputs.ts'
import { guardEvents, STREAM_CAPS } from './guardEvents.ts'
import { type ModelTimers, type SilenceTimer, startSilenceTimer } from './startSilenceTimer.ts'
import type { Attempt } from './streamAttempt.ts'
import { throughFilter } from './throughFilter.ts'

/** How much is read of an answer that is not an event stream. */
const MAX_OTHER_BYTES = 256 * 1024

/**
 * The outermost middleware of an attempt. Silence ends the attempt, and only an event stream within its limits passes.
 * It reports the reason to `attempt`, because the SDK hides the reason of an abort.
 */
export function guardResponse(attempt: Attempt, timers: ModelTimers, inputs: ToolInputs): Middleware {
  return async (request, next) => {
    const timer = startSilenceTimer(timers, attempt.fail)
    const stopWatching = watchConnection(request.url, timer)
    const stop = (): void => {
      stopWatching()
      timer.stop()
    }
    attempt.onEnd(stop)
    const response = await next(request)
    stopWatching()
    timer.answered()
    if (!response.ok) {
      const text = await readStart(response)
      stop()
      return new Response(text, { status: response.status, headers: response.headers })
    }
    const type = response.headers.get('content-type') ?? 'no content type'
    if (response.body === null) throw badStream('the answer has no body')
    const events = type.startsWith('text/event-stream') ? response.body : await streamIn(response, type)
    const filter = guardEvents(STREAM_CAPS, timer.heard, inputs)
    // Once a request's own objects are garbage-collected, its signal no longer reaches the body.
    const body = throughFilter(events, filter, undefined, (cut) => attempt.onAbort(() => cut(new Error('broken off'))))
    return new Response(body, { status: response.status, headers: response.headers })
  }
}

/** Types of servers that do not name the one of an event stream. */
const UNTYPED = /^(?:no content type|text\/plain|application\/octet-stream)\b/

/** The longest name of a field with its colon. */
const LONGEST_FIELD = 'event:'.length

/** The body of an answer without the type of an event stream, if it begins as one; throws what it is otherwise. */
async function streamIn(response: Response, type: string): Promise<ReadableStream<Uint8Array>> {
  if (!UNTYPED.test(type) || response.body === null) throw notAStream(type, await readStart(response))
  const [look, whole] = response.body.tee()
  const reader = look.getReader()
  const decoder = new TextDecoder()
  let start = ''
  for (let isDone = false; !isDone && start.trimStart().length < LONGEST_FIELD; ) {
    const { done, value } = await reader.read()
    isDone = done
    start += decoder.decode(value, { stream: !done })
  }
  void reader.cancel()
  if (/^\s*(?:event|data|id|retry|):/.test(start)) return whole
  throw notAStream(type, await readStart(new Response(whole)))
}

/** The start of a body as text, or what arrived before it broke off. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > MAX_OTHER_BYTES) break
    }
  } catch {
    return text
  }
  return text
}

/** A captive portal, a proxy's page, or the API's own error object with a wrong status. */
function notAStream(type: string, text: string): Error {
  const error = apiErrorIn(text)
  if (error !== undefined) return Object.assign(new Error(error.message), { type: error.type })
  return badStream(`not an API response (${printable(type)}): ${printable(text.slice(0, 1000)).slice(0, 200)}`)
}

function apiErrorIn(text: string): { readonly type: string; readonly message: string } | undefined {
  return orElse(undefined, () => {
    const { type, message } = JSON.parse(text).error
    return typeof type === 'string' ? { type, message: String(message) } : undefined
  })
}

/**
 * Tells the timer when a connection to the URL's host and port starts and when it is established; call the result to
 * stop. Node's `fetch` reports this only on diagnostics channels (undici, "Diagnostics Channel Support"); without them,
 * nothing is timed.
 */
function watchConnection(url: string, timer: SilenceTimer): () => void {
  const { host } = new URL(url)
  const watched = { beforeConnect: timer.connecting, connected: timer.connected, connectError: timer.connected }
  const stops = Object.entries(watched).map(([event, tell]) => {
    const listen = (message: unknown): void => {
      if ((message as { connectParams?: { host?: unknown } }).connectParams?.host === host) tell()
    }
    subscribe(`undici:client:${event}`, listen)
    return () => unsubscribe(`undici:client:${event}`, listen)
  })
  return () => {
    for (const stop of stops) stop()
  }
}

import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { innerMessageOf, messageOf } from '../../contracts/errors.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'
import { timerMs } from '../../lib/async/timerMs.ts'
import { faultsOf } from '../../lib/faultsOf.ts'
import type { OpenClient } from '../openClient.ts'
import { CONNECTION_CLOSED, codeOf, isAnswered, REQUEST_TIMEOUT } from '../tools/codeOf.ts'

const IDLE_SECONDS = 60
const CALL_SECONDS = 600

export type Request<Result> = (client: OpenClient['client'], options: RequestOptions) => Promise<Result>

export type CallLimits = { readonly signal: AbortSignal; readonly onProgress?: (text: string) => void }

/**
 * Sends one request. It ends after a minute of silence or ten minutes in all, or after the time that the entry allows,
 * silent or not. A server that is our own process is ended too, because nothing else would stop the work. Throws with a
 * message for the model.
 */
export async function sendWithin<Result>(
  name: string,
  open: OpenClient,
  ask: Request<Result>,
  limits: CallLimits & { readonly settings: McpServerSettings },
): Promise<Result> {
  const { timeout } = limits.settings
  const totalSeconds = timeout ?? CALL_SECONDS
  // The SDK listens on after the answer, and would cancel a call that has ended: so it gets a signal of its own.
  const stop = new AbortController()
  const onAbort = () => stop.abort()
  const timer = setTimeout(onAbort, timerMs(totalSeconds * 1000))
  limits.signal.addEventListener('abort', onAbort)
  try {
    limits.signal.throwIfAborted()
    return await ask(open.client, {
      signal: stop.signal,
      timeout: timerMs(timeout === undefined ? IDLE_SECONDS * 1000 : Number.POSITIVE_INFINITY),
      resetTimeoutOnProgress: true,
      onprogress: ({ message, progress, total }) =>
        limits.onProgress?.(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
    })
  } catch (error) {
    if (limits.signal.aborted) throw new Error(`the call of the MCP server ${name} was canceled`, { cause: error })
    const isOver = stop.signal.aborted
    const code = codeOf(error)
    if (isOver || code === REQUEST_TIMEOUT) {
      await open.stdio?.kill()
      const how = isOver ? `did not finish within ${totalSeconds} s` : `was silent for ${IDLE_SECONDS} s`
      throw unknownEffect(`the MCP server ${name} ${how}${open.stdio ? ' and was ended' : ''}`, error)
    }
    if (code === CONNECTION_CLOSED) {
      const why = open.stdio?.detail() || 'the connection was closed'
      throw unknownEffect(`the MCP server ${name} ended during the call (${why})`, error)
    }
    const isRefused = code === 401 && limits.settings.headersHelper !== undefined
    const isExpired = code === 404 && open.transport.sessionId !== undefined
    if (isRefused || isExpired) throw new SessionExpired(name, { cause: error })
    // An HTTP server that no longer knows the session.
    if (code === 404 || code === 400) await open.client.close()
    if (isCutOff(error))
      throw unknownEffect(`the connection to the MCP server ${name} was lost: ${innerMessageOf(error)}`, error)
    const faults =
      error instanceof Error && 'issues' in error ? `its answer is not valid: ${faultsOf(error as never)}` : undefined
    throw new Error(`MCP server ${name}: ${faults ?? messageOf(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
    limits.signal.removeEventListener('abort', onAbort)
  }
}

/** The server no longer knows the session, or the headers of a helper, and did nothing: a new session starts, and the request is sent again. */
export class SessionExpired extends Error {
  override readonly name = 'SessionExpired'
  constructor(server: string, options: ErrorOptions) {
    super(`MCP server ${server}: the session has expired, and the new one has too`, options)
  }
}

function unknownEffect(what: string, cause: unknown): Error {
  return new Error(`${what}. It is unknown whether the call took effect.`, { cause })
}

/** Errors before anything was sent: no connection was made. */
const UNSENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|\w*CERT\w*)$/

/** True if a request may have arrived although its answer did not. `fetch` has the reason in `cause`. */
function isCutOff(error: unknown): boolean {
  const code = error instanceof Error && !isAnswered(error) ? codeOf(error.cause) : undefined
  return typeof code === 'string' && !UNSENT.test(code)
}

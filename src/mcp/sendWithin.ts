import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { messageOf } from '../contracts/errors.ts'
import type { McpServerSettings } from '../contracts/settings.ts'
import { timerMs } from '../lib/timerMs.ts'
import { CONNECTION_CLOSED, codeOf, REQUEST_TIMEOUT } from './codeOf.ts'
import type { OpenClient } from './openClient.ts'

const IDLE_SECONDS = 60
const CALL_SECONDS = 600

export type Request<Result> = (client: OpenClient['client'], options: RequestOptions) => Promise<Result>

export type CallLimits = { readonly signal: AbortSignal; readonly onProgress?: (text: string) => void }

/**
 * Sends one request. A minute of silence or ten minutes in all end it, or the time that the entry gives to a call, silent
 * or not; and with it ends a server that is a process of ours, since nothing else would stop the work. Throws with a
 * message for the model.
 */
export async function sendWithin<Result>(
  name: string,
  open: OpenClient,
  ask: Request<Result>,
  limits: CallLimits & { readonly settings: McpServerSettings },
): Promise<Result> {
  const totalSeconds = limits.settings.timeout ?? CALL_SECONDS
  const idleSeconds = limits.settings.timeout ?? IDLE_SECONDS
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), timerMs(totalSeconds * 1000))
  const onAbort = () => stop.abort()
  limits.signal.addEventListener('abort', onAbort)
  try {
    limits.signal.throwIfAborted()
    return await ask(open.client, {
      signal: stop.signal,
      timeout: timerMs(idleSeconds * 1000),
      resetTimeoutOnProgress: true,
      onprogress: ({ message, progress, total }) =>
        limits.onProgress?.(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
    })
  } catch (error) {
    if (limits.signal.aborted) throw new Error(`the call of the MCP server ${name} was cancelled`, { cause: error })
    const isOver = stop.signal.aborted
    if (isOver || codeOf(error) === REQUEST_TIMEOUT) {
      await open.stdio?.kill()
      const how = isOver ? `did not finish within ${totalSeconds} s` : `was silent for ${idleSeconds} s`
      throw unknownEffect(`the MCP server ${name} ${how}${open.stdio ? ' and was ended' : ''}`, error)
    }
    if (codeOf(error) === CONNECTION_CLOSED) {
      const why = open.stdio?.detail() || 'the connection was closed'
      throw unknownEffect(`the MCP server ${name} ended during the call (${why})`, error)
    }
    if (codeOf(error) === 404 && hasSession(open)) throw new SessionExpired(name, { cause: error })
    if (isSessionLost(error)) await open.client.close()
    throw new Error(`MCP server ${name}: ${messageOf(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
    limits.signal.removeEventListener('abort', onAbort)
  }
}

/** The server does not know the session any more, and did nothing: it is begun anew, and the request sent again. */
export class SessionExpired extends Error {
  override readonly name = 'SessionExpired'
  constructor(server: string, options: ErrorOptions) {
    super(`MCP server ${server}: the session has expired, and the new one has too`, options)
  }
}

function hasSession({ transport }: OpenClient): boolean {
  return transport.sessionId !== undefined
}

function unknownEffect(what: string, cause: unknown): Error {
  return new Error(`${what}. Whether the call took effect is not known.`, { cause })
}

/** The statuses by which an HTTP server says that it does not know the session any more. */
function isSessionLost(error: unknown): boolean {
  return codeOf(error) === 404 || codeOf(error) === 400
}

import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import type { ConnectionOptions, OpenClient } from './openClient.ts'
import { superviseClient } from './superviseClient.ts'
import { isAnswered } from './tools/codeOf.ts'
import { type CallLimits, type Request, SessionExpired, sendWithin } from './transport/sendWithin.ts'

const MOVE_MS = 1_000
const PROBE_MS = 800
const PROBE_PAUSE_MS = 1_000

/** A connection that survives three ends of its server: running calls fail at once, and the next call restarts it. */
export function createConnection(options: ConnectionOptions) {
  const probe = createProbe()
  let pending = 0
  let onRootsAsked = (): void => undefined
  const kept = superviseClient({ ...options, onRootsAsked: () => onRootsAsked() }, () => {
    const open = kept.current()
    // Our own child process reports its end itself.
    if (open && !open.stdio && pending > 0) void probe(open.client)
  })
  async function send<Result>(open: OpenClient, ask: Request<Result>, limits: CallLimits): Promise<Result> {
    pending += 1
    try {
      return await sendWithin(options.name, open, ask, { ...limits, settings: options.settings })
    } finally {
      pending -= 1
    }
  }
  return {
    /** The first start, or another after a failed one. Throws with the reason, and leaves no process behind. */
    start: kept.open,
    /** Sends one request within the limits of a call. Throws with a message for the model. */
    async request<Result>(ask: Request<Result>, limits: CallLimits): Promise<Result> {
      const open = await kept.acquire()
      try {
        return await send(open, ask, limits)
      } catch (error) {
        if (!(error instanceof SessionExpired)) throw error
        await kept.renew(open)
        return await send(await kept.acquire(), ask, limits)
      }
    },
    /** Tells the server that the folders of the run have changed; waits a second at most until it has asked for them. */
    async moved() {
      const open = kept.current()
      if (open === undefined || options.settings.roots !== true) return
      const asked = new Promise<void>((resolve) => {
        onRootsAsked = resolve
      })
      await open.client.sendRootsListChanged().catch(() => undefined)
      await resultBeforeAbort(asked, AbortSignal.timeout(MOVE_MS))
    },
    isGone: kept.isGone,
    /** Ends the server within two seconds. Never rejects. */
    async close() {
      const open = kept.current()
      await Promise.allSettled([kept.stop(), open?.client.close()])
    },
  }
}

/**
 * Pings a server behind a broken stream, at most once a second. The stream says nothing about waiting calls, but a
 * server that does not answer a ping has ended. One that refuses it lives: it may only have forgotten the session.
 */
function createProbe(): (client: OpenClient['client']) => Promise<void> {
  let probedAt = Number.NEGATIVE_INFINITY
  return async (client) => {
    if (performance.now() - probedAt < PROBE_PAUSE_MS) return
    probedAt = performance.now()
    await client.ping({ timeout: PROBE_MS }).catch((error) => (isAnswered(error) ? undefined : client.close()))
  }
}

import { keepOpen } from './keepOpen.ts'
import type { ConnectionOptions, OpenClient } from './openClient.ts'
import { type CallLimits, type Request, SessionExpired, sendWithin } from './sendWithin.ts'

const PROBE_MS = 800
const PROBE_PAUSE_MS = 1_000

/** One server that is started again when it ends. */
export interface Connection {
  /** The first start. Throws with the reason, and leaves no process behind. */
  start(): Promise<void>
  /** Sends one request within the limits of a call. Throws with a message for the model. */
  request<Result>(ask: Request<Result>, limits: CallLimits): Promise<Result>
  /** True once the server has used up its restarts. */
  isGone(): boolean
  /** Ends the server within two seconds. Never rejects. */
  close(): Promise<void>
}

/** A connection that survives three ends of its server: calls under way fail at once, the next call starts it again. */
export function createConnection(options: ConnectionOptions): Connection {
  const probe = createProbe()
  let pending = 0
  const kept = keepOpen(options, () => {
    const open = kept.current()
    // A process of ours tells of its own end.
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
    start: async () => void (await kept.open()),
    request: async (ask, limits) => {
      const open = await kept.acquire()
      try {
        return await send(open, ask, limits)
      } catch (error) {
        if (!(error instanceof SessionExpired)) throw error
        await kept.renew(open)
        return await send(await kept.acquire(), ask, limits)
      }
    },
    isGone: kept.isGone,
    close: async () => {
      const open = kept.current()
      await Promise.allSettled([kept.stop(), open?.client.close()])
    },
  }
}

/**
 * Asks a server behind a broken stream whether it is still there, at most once a second: the stream says nothing about
 * the calls that wait, but a server that does not answer a ping has ended.
 */
function createProbe(): (client: OpenClient['client']) => Promise<void> {
  let probedAt = Number.NEGATIVE_INFINITY
  return async (client) => {
    if (performance.now() - probedAt < PROBE_PAUSE_MS) return
    probedAt = performance.now()
    await client.ping({ timeout: PROBE_MS }).catch(() => client.close())
  }
}

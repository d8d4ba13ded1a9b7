import { resolve } from 'node:path'
import { messageOf } from '../contracts/errors.ts'
import { warning } from '../contracts/events.ts'
import { pinFiles, scriptFiles } from '../files/scriptFiles.ts'
import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import { type ConnectionOptions, type OpenClient, openClient } from './openClient.ts'
import { isAnswered } from './tools/codeOf.ts'
import { type CallLimits, type Request, SessionExpired, sendWithin } from './transport/sendWithin.ts'

const MAX_RESTARTS = 3
const MAX_NOTES = 10
const MOVE_MS = 1_000
const PROBE_MS = 800
const PROBE_PAUSE_MS = 1_000

/**
 * A connection that survives three ends of its server: running calls fail at once, and the next call restarts it. Every
 * end is reported. After the last one, the server is gone, which leaves an `mcp_unavailable` event.
 */
export function createConnection(options: ConnectionOptions) {
  const { name, settings, onEvent } = options
  const probe = createProbe()
  const stopping = new AbortController()
  const signal = AbortSignal.any([options.signal, stopping.signal])
  let pending = 0
  let onRootsAsked = (): void => undefined
  let current: OpenClient | undefined
  let opening: Promise<OpenClient> | undefined
  let ends = 0
  let notes = 0
  const isGone = () => ends > MAX_RESTARTS
  const warn = (code: string, message: string) => onEvent(warning(code, `MCP server ${name}: ${message}`))

  const noteEnd = (why: string): void => {
    current = undefined
    if (stopping.signal.aborted) return
    ends += 1
    if (isGone()) {
      const [required, detail] = [settings.required ?? true, `${why}; it has ended too often and is gone for this run`]
      onEvent({ type: 'system', subtype: 'mcp_unavailable', server: name, required, detail })
    } else warn('mcp_server_ended', `${why}; it is started again at its next call`)
  }
  const onTrouble = (): void => {
    // Our own child process reports its end itself.
    if (current && !current.stdio && pending > 0) void probe(current.client)
  }
  const scripts = scriptsOf(options)
  const pinned = pinFiles(scripts)
  const open = async (): Promise<OpenClient> => {
    const file = pinned() ?? scriptsOf(options).find((each) => !scripts.includes(each))
    if (file !== undefined) throw new Error(`${file} was changed during the run`)
    const opened = await openClient({ ...options, signal, onRootsAsked: () => onRootsAsked() }, onTrouble)
    opened.client.onclose = () => {
      if (current === opened) noteEnd(opened.stdio?.detail() || 'the connection was closed')
    }
    opened.client.onerror = (error) => {
      notes += 1
      if (notes <= MAX_NOTES) warn('mcp_server_error', messageOf(error))
      opened.onError(error)
      onTrouble()
    }
    current = opened
    return opened
  }
  const reopen = (): Promise<OpenClient> =>
    open().catch((error) => {
      noteEnd(messageOf(error))
      throw new Error(`the MCP server ${name} could not be started again: ${messageOf(error)}`, { cause: error })
    })
  /** The open client, or a new one. Throws if the server does not restart. */
  const acquire = async (): Promise<OpenClient> => {
    if (stopping.signal.aborted) throw new Error(`the MCP server ${name} is closed: the run is ending`)
    if (current) return current
    if (isGone()) throw new Error(`the MCP server ${name} ended ${ends} times and is gone for this run`)
    opening ??= reopen().finally(() => {
      opening = undefined
    })
    return opening
  }
  async function send<Result>(to: OpenClient, ask: Request<Result>, limits: CallLimits): Promise<Result> {
    pending += 1
    try {
      return await sendWithin(name, to, ask, { ...limits, settings })
    } finally {
      pending -= 1
    }
  }
  return {
    /** The first start, or another after a failed one. Throws with the reason, and leaves no process behind. */
    start: open,
    /** Sends one request within the limits of a call. Throws with a message for the model. */
    async request<Result>(ask: Request<Result>, limits: CallLimits): Promise<Result> {
      const used = await acquire()
      try {
        return await send(used, ask, limits)
      } catch (error) {
        if (!(error instanceof SessionExpired)) throw error
        // This is not an end of the server and is not counted as one.
        if (current === used) current = undefined
        await used.client.close().catch(() => undefined)
        return await send(await acquire(), ask, limits)
      }
    },
    /** Tells the server that the folders of the run have changed; waits a second at most until it has asked for them. */
    async moved() {
      if (current === undefined || settings.roots !== true) return
      const asked = new Promise<void>((done) => {
        onRootsAsked = done
      })
      await current.client.sendRootsListChanged().catch(() => undefined)
      await resultBeforeAbort(asked, AbortSignal.timeout(MOVE_MS))
    },
    isGone,
    /** Gives up a start that is under way, and ends the server within two seconds. Never rejects. */
    async close() {
      const client = current?.client
      stopping.abort()
      await Promise.allSettled([opening, client?.close()])
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

/** Files of a server that a call may have changed: a restart could run something else. */
function scriptsOf({ settings, cwd }: ConnectionOptions): readonly string[] {
  const folder = resolve(cwd, settings.cwd ?? '.')
  return settings.command === undefined ? [] : scriptFiles([settings.command, ...(settings.args ?? [])], folder, [cwd])
}

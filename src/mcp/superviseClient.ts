import { resolve } from 'node:path'
import { messageOf } from '../contracts/errors.ts'
import { pinFiles, scriptFiles } from '../files/scriptFiles.ts'
import { type ConnectionOptions, type OpenClient, openClient } from './openClient.ts'

const MAX_RESTARTS = 3
const MAX_NOTES = 10

/**
 * Opens a server's client, and again after each of three ends. Every end is reported. After the last one, the server is
 * gone, which leaves an `mcp_unavailable` event. `onTrouble` is called when a stream of the server ends or fails.
 */
export function superviseClient(options: ConnectionOptions, onTrouble: () => void) {
  const { name } = options
  const notes = createNotes(options)
  const stopping = new AbortController()
  const signal = AbortSignal.any([options.signal, stopping.signal])
  let current: OpenClient | undefined
  let opening: Promise<OpenClient> | undefined
  let ends = 0
  const isGone = () => ends > MAX_RESTARTS

  const noteEnd = (why: string): void => {
    current = undefined
    if (stopping.signal.aborted) return
    ends += 1
    notes.ended(why, isGone())
  }
  const open = async (): Promise<OpenClient> => {
    const opened = await openClient({ ...options, signal }, onTrouble)
    opened.client.onclose = () => {
      if (current === opened) noteEnd(opened.stdio?.detail() || 'the connection was closed')
    }
    opened.client.onerror = (error) => {
      notes.error(error)
      opened.onError(error)
      onTrouble()
    }
    current = opened
    return opened
  }
  const scripts = scriptsOf(options)
  const pinned = pinFiles(scripts)
  const changedFile = () => pinned() ?? scriptsOf(options).find((file) => !scripts.includes(file))
  const openAgain = async (): Promise<OpenClient> => {
    const file = changedFile()
    if (file !== undefined) throw new Error(`${file} was changed during the run`)
    return open()
  }
  const reopen = (): Promise<OpenClient> =>
    openAgain().catch((error) => {
      noteEnd(messageOf(error))
      throw new Error(`the MCP server ${name} could not be started again: ${messageOf(error)}`, { cause: error })
    })

  return {
    /** The first opening, or another after a failed one. Throws with the reason; only later ends are counted. */
    open: openAgain,
    /** The open client, or a new one. Throws if the server does not restart. */
    async acquire() {
      if (stopping.signal.aborted) throw new Error(`the MCP server ${name} is closed: the run is ending`)
      if (current) return current
      if (isGone()) throw new Error(`the MCP server ${name} ended ${ends} times and is gone for this run`)
      opening ??= reopen().finally(() => {
        opening = undefined
      })
      return opening
    },
    current: () => current,
    /** Closes a client whose session has expired. This is not an end of the server and is not counted as one. */
    async renew(expired: OpenClient) {
      if (current === expired) current = undefined
      await expired.client.close().catch(() => undefined)
    },
    /** True once the server has used up its restarts. */
    isGone,
    /** No more openings; a pending one is given up. */
    async stop() {
      stopping.abort()
      await opening?.catch(() => undefined)
    },
  }
}

/** Files of a server that a call may have changed: a restart could run something else. */
function scriptsOf({ settings, cwd }: ConnectionOptions): readonly string[] {
  const folder = resolve(cwd, settings.cwd ?? '.')
  return settings.command === undefined ? [] : scriptFiles([settings.command, ...(settings.args ?? [])], folder, [cwd])
}

/** Reports a server's problems to people; its errors only a few times. */
function createNotes({ name, settings, onEvent }: ConnectionOptions) {
  let left = MAX_NOTES
  const warn = (code: string, message: string) =>
    onEvent({ type: 'system', subtype: 'warning', code, message: `MCP server ${name}: ${message}` })
  return {
    error(error: unknown) {
      left -= 1
      if (left >= 0) warn('mcp_server_error', messageOf(error))
    },
    ended(why: string, isGone: boolean) {
      if (!isGone) return warn('mcp_server_ended', `${why}; it is started again at its next call`)
      const required = settings.required ?? true
      const detail = `${why}; it has ended too often and is gone for this run`
      return onEvent({ type: 'system', subtype: 'mcp_unavailable', server: name, required, detail })
    },
  }
}

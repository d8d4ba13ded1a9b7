import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { messageOf, RunError } from '../contracts/errors.ts'
import type { McpServerSettings } from '../contracts/settings.ts'
import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import { timerMs } from '../lib/async/timerMs.ts'
import { VERSION } from '../lib/version.ts'
import type { McpOptions } from './McpServers.ts'
import { CONNECTION_CLOSED, codeOf } from './tools/codeOf.ts'
import { createTransport } from './transport/createTransport.ts'
import { endCutRequests } from './transport/endCutRequests.ts'

const START_SECONDS = 15

export type ConnectionOptions = McpOptions & {
  readonly name: string
  /** Variables filled in. */
  readonly settings: McpServerSettings
  /** Called with every new client before it is used: if it throws, the start fails. */
  onOpen(client: Client): Promise<void>
  onToolsChanged(): void
  /** Called when the server asks for the folders of the run. */
  onRootsAsked?(): void
}

/** A client that has completed the handshake. `stdio` is set if the server is our own process. */
export type OpenClient = Awaited<ReturnType<typeof openClient>>

/**
 * Starts a server and completes the handshake, offering at most roots in return: no sampling, no elicitation.
 * Throws the reason if it does not start in time, and ends its process.
 */
export async function openClient(options: ConnectionOptions, onStreamEnd: () => void) {
  const { name, settings, signal } = options
  let cuts: ReturnType<typeof endCutRequests> | undefined
  const { transport, stdio } = await createTransport(name, settings, options, (end) => {
    cuts?.streamEnded(end)
    onStreamEnd()
  })
  try {
    const milliseconds = timerMs((settings.startTimeout ?? START_SECONDS) * 1000)
    const timeout = AbortSignal.timeout(milliseconds)
    const client = await resultBeforeAbort(shakeHands(transport, options), AbortSignal.any([signal, timeout]))
    if (client === undefined)
      throw new Error(timeout.aborted ? `it did not answer within ${milliseconds / 1000} s` : 'the run is ending')
    cuts = endCutRequests(transport)
    // The SDK has tried to resume a stream, and only reports that it gave up.
    const onError = ({ message }: Error) => void (/Maximum reconnection attempts/.test(message) && cuts?.gaveUp())
    return { client, transport, stdio, onError }
  } catch (cause) {
    const said = stdio?.detail() ?? ''
    await (stdio ? stdio.kill() : transport.close().catch(() => undefined))
    if (cause instanceof RunError) throw cause
    const hasEnded = said !== '' && codeOf(cause) === CONNECTION_CLOSED
    throw new Error(hasEnded ? said : [describe(cause), said].filter((part) => part !== '').join(': '), { cause })
  }
}

async function shakeHands(transport: Transport, options: ConnectionOptions): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { ListRootsRequestSchema, ToolListChangedNotificationSchema } = await import(
    '@modelcontextprotocol/sdk/types.js'
  )
  const { roots } = options
  const hasRoots = options.settings.roots === true && roots !== undefined
  const capabilities = hasRoots ? { roots: { listChanged: true } } : {}
  const client = new Client({ name: 'kode-run', version: VERSION }, { capabilities })
  if (hasRoots)
    client.setRequestHandler(ListRootsRequestSchema, () => {
      options.onRootsAsked?.()
      return { roots: roots().map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })) }
    })
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.onToolsChanged())
  await client.connect(transport, { timeout: NEVER_MS })
  await options.onOpen(client)
  return client
}

/** The SDK's own limit is disabled: the whole start has one. */
const NEVER_MS = 2 ** 31 - 1

/** fetch hides the reason (`ECONNREFUSED`) in `cause`, the SDK the status of an answer in `code`. */
function describe(error: unknown): string {
  const status = codeOf(error)
  const words = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const advice =
    status === 401 || status === 403
      ? '; its token belongs under `headers` of the entry, or comes by `oauth` or `headersHelper`'
      : ''
  const said = typeof status === 'number' && status >= 400 && status < 600 ? `HTTP ${status}: ` : ''
  return `${said}${messageOf(error)}${words}${advice}`
}

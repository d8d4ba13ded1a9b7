import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { messageOf, RunError } from '../contracts/errors.ts'
import type { McpServerSettings } from '../contracts/settings.ts'
import { timerMs } from '../lib/timerMs.ts'
import { CONNECTION_CLOSED, codeOf } from './codeOf.ts'
import type { StdioTransport } from './createStdioTransport.ts'
import { createTransport } from './createTransport.ts'
import { endCutRequests } from './endCutRequests.ts'
import type { McpOptions } from './McpServers.ts'
import { withinTime } from './withinTime.ts'

const START_SECONDS = 15

export type ConnectionOptions = McpOptions & {
  readonly name: string
  /** Variables filled in. */
  readonly settings: McpServerSettings
  /** Called with every fresh client, before it is used: what it throws fails the start. */
  onOpen(client: Client): Promise<void>
  onToolsChanged(): void
}

/** A client that has shaken hands with its server. `stdio` is set where the server is a process of ours. */
export type OpenClient = {
  readonly client: Client
  readonly transport: Transport
  readonly stdio: StdioTransport | undefined
  /** To be told of the client's errors. */
  onError(error: Error): void
}

/**
 * Starts a server and shakes hands with it, offering nothing in return: no roots, no sampling, no elicitation. Throws
 * with the reason when it does not come up in time; its process is then ended.
 */
export async function openClient(options: ConnectionOptions, onStreamEnd: () => void): Promise<OpenClient> {
  const { name, settings, signal } = options
  let cuts: ReturnType<typeof endCutRequests> | undefined
  const { transport, stdio } = await createTransport(name, settings, options, (end) => {
    cuts?.streamEnded(end)
    onStreamEnd()
  })
  try {
    const milliseconds = timerMs((settings.startTimeout ?? START_SECONDS) * 1000)
    const client = await withinTime(shakeHands(transport, options), milliseconds, signal)
    cuts = endCutRequests(transport)
    return { client, transport, stdio, onError: (error) => isGivenUp(error) && cuts?.gaveUp() }
  } catch (cause) {
    const said = stdio?.detail() ?? ''
    await (stdio ? stdio.kill() : transport.close().catch(() => undefined))
    if (cause instanceof RunError) throw cause
    const hasEnded = said !== '' && codeOf(cause) === CONNECTION_CLOSED
    throw new Error(hasEnded ? said : [describe(cause), said].filter((part) => part !== '').join(': '), { cause })
  }
}

/** The SDK has tried to take up a stream again, and says only so that it does no longer. */
function isGivenUp(error: Error): boolean {
  return /Maximum reconnection attempts/.test(error.message)
}

async function shakeHands(transport: Transport, options: ConnectionOptions): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js')
  const client = new Client({ name: 'kode-run', version: options.version }, { capabilities: {} })
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.onToolsChanged())
  await client.connect(transport, { timeout: NEVER_MS })
  await options.onOpen(client)
  return client
}

/** The SDK's own limit is out of the way: the whole start has one. */
const NEVER_MS = 2 ** 31 - 1

/** fetch hides the reason (`ECONNREFUSED`) in `cause`, the SDK the status of an answer in `code`. */
function describe(error: unknown): string {
  const status = codeOf(error)
  const words = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const advice = status === 401 || status === 403 ? '; its token belongs under `headers` of the entry' : ''
  const said = typeof status === 'number' && status >= 400 && status < 600 ? `HTTP ${status}: ` : ''
  return `${said}${messageOf(error)}${words}${advice}`
}

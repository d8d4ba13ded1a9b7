import { expect, test } from 'vitest'
import type { McpServerSettings } from '../../../src/contracts/settings.ts'
import { type CallLimits, SessionExpired, sendWithin } from '../../../src/mcp/transport/sendWithin.ts'

type Open = Parameters<typeof sendWithin>[1]
type Parts = { readonly settings?: McpServerSettings; readonly sessionId?: string; readonly isOurs?: true }

const withCode = (code: unknown, message = 'no luck') => Object.assign(new Error(message), { code })
const fetchFailed = (code: string) => new Error('fetch failed', { cause: withCode(code, `${code} 127.0.0.1:3`) })

/** Sends one request that fails, and notes what becomes of the server. */
async function fail(error: unknown, { settings = {}, sessionId, isOurs }: Parts = {}) {
  const done: string[] = []
  const open = {
    client: { close: async () => void done.push('closed') },
    transport: { sessionId },
    stdio: isOurs && { kill: async () => void done.push('killed'), detail: () => 'out of cheese' },
  } as unknown as Open
  const limits = { signal: new AbortController().signal, settings }
  const thrown: unknown = await sendWithin('s', open, () => Promise.reject(error), limits).catch((it: unknown) => it)
  return { thrown, message: (thrown as Error).message, done }
}

const UNKNOWN = 'It is unknown whether the call took effect.'
const LOST = 'the connection to the MCP server s was lost'
const EXPIRED = 'MCP server s: the session has expired, and the new one has too'
const invalid = Object.assign(new Error(), { issues: [{ path: ['content'], message: 'is no list' }] })

test.each<[unknown, Parts, string, readonly string[]]>([
  // Nobody can tell how far a call has come that was not answered; only our own process can be ended.
  [withCode(-32001), {}, `the MCP server s was silent for 60 s. ${UNKNOWN}`, []],
  [withCode(-32001), { isOurs: true }, `the MCP server s was silent for 60 s and was ended. ${UNKNOWN}`, ['killed']],
  [withCode(-32000), {}, `the MCP server s ended during the call (the connection was closed). ${UNKNOWN}`, []],
  [withCode(-32000), { isOurs: true }, `the MCP server s ended during the call (out of cheese). ${UNKNOWN}`, []],
  [fetchFailed('ECONNRESET'), {}, `${LOST}: ECONNRESET 127.0.0.1:3. ${UNKNOWN}`, []],
  // Of these, nothing was sent.
  [fetchFailed('ECONNREFUSED'), {}, 'MCP server s: fetch failed', []],
  [fetchFailed('CERT_HAS_EXPIRED'), {}, 'MCP server s: fetch failed', []],
  [Object.assign(fetchFailed('ECONNRESET'), { code: 503 }), {}, 'MCP server s: fetch failed', []],
  // A server that has forgotten the session did nothing.
  [withCode(404), { sessionId: 'one' }, EXPIRED, []],
  [withCode(401), { settings: { headersHelper: 'x' } }, EXPIRED, []],
  [withCode(401), {}, 'MCP server s: no luck', []],
  [withCode(404), {}, 'MCP server s: no luck', ['closed']],
  [withCode(400), { sessionId: 'one' }, 'MCP server s: no luck', ['closed']],
  ['a text', {}, 'MCP server s: a text', []],
  [invalid, {}, 'MCP server s: its answer is not valid: content: is no list', []],
])('%s with %j: %s', async (error, parts, message, done) => {
  const ended = await fail(error, parts)
  expect([ended.message, ended.done, ended.thrown instanceof SessionExpired]).toEqual([
    ...[message, done, message.includes('session')],
  ])
})

test('the time of an entry is for the whole call, and its progress is told', async () => {
  const told: string[] = []
  const open = { client: {}, transport: {} } as unknown as Open
  const limits = (timeout?: number): CallLimits & { settings: McpServerSettings } => ({
    signal: new AbortController().signal,
    onProgress: (text) => told.push(text),
    settings: timeout === undefined ? {} : { timeout },
  })
  const asked = (timeout?: number) =>
    sendWithin('s', open, async (_, options) => options, limits(timeout)).then((options) => {
      for (const progress of [{ progress: 1 }, { progress: 1, total: 3 }, { progress: 2, message: 'half' }])
        options.onprogress?.(progress)
      return [options.timeout, options.resetTimeoutOnProgress]
    })
  expect(await asked()).toEqual([60_000, true])
  expect(told).toEqual(['1', '1 of 3', 'half'])
  expect(await asked(5)).toEqual([2 ** 31 - 1, true])
  const slow = sendWithin('s', open, (_, { signal }) => rejectAtAbort(signal), limits(0.01))
  await expect(slow).rejects.toThrow(`the MCP server s did not finish within 0.01 s. ${UNKNOWN}`)
})

function rejectAtAbort(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
}
